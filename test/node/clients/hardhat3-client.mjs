// Run by Hardhat 3 in a separate project; prints one JSON object.
import { readFileSync } from 'node:fs'
import * as ethers from 'ethers'
import { network } from 'hardhat'
import { work } from './hardhat-work.mjs'

const probe = JSON.parse(readFileSync(new URL('./probe.json', import.meta.url), 'utf8'))
const { provider } = await network.create()
console.log(JSON.stringify(await work(provider, ethers, probe)))
