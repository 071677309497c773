// The words of the family's signer, as `clef --help` lists them.
import type { FamilyCommand, FamilyFlag } from './family'
import { accepted, all, renamed, same, sameCommand } from './rows'

export const SIGNER_FLAGS: readonly FamilyFlag[] = [
  ...all(
    [
      '4bytedb-custom VALUE',
      'advanced',
      'auditlog VALUE',
      'chainid VALUE',
      'configdir VALUE',
      'http',
      'http.addr VALUE',
      'http.port VALUE',
      'http.vhosts VALUE',
      'ipcdisable',
      'ipcpath VALUE',
      'keystore VALUE',
      'lightkdf',
      'nousb',
      'rules VALUE',
      'signersecret VALUE',
      'stdio-ui',
      'stdio-ui-test',
    ],
    same,
  ),
  renamed('loglevel VALUE', 'log.level'),
  accepted('suppress-bootwarn', 'there is no start-up question to suppress'),
  accepted('pcscdpath VALUE', 'smart cards are not supported'),
]

/** Given after `headframe signer`. */
export const SIGNER_COMMANDS: readonly FamilyCommand[] = [
  'attest',
  'delpw',
  'gendoc',
  'help',
  'init',
  'newaccount',
  'setpw',
].map(sameCommand)
