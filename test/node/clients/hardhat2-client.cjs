// Run by Hardhat 2 in a project of its own; prints one JSON object.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const ethers = require('ethers')
const hre = require('hardhat')

async function main() {
  const { work } = await import('./hardhat-work.mjs')
  const probe = JSON.parse(readFileSync(join(__dirname, 'probe.json'), 'utf8'))
  const { provider } = hre.network
  console.log(JSON.stringify(await work(provider, ethers, probe)))
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
