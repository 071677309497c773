// Things that pools do wrong, by name; each number is a count, a time in milliseconds or a size, as the comment says.

export interface Faults {
  /** accept, then close at once */
  readonly closeOnConnect?: boolean
  /** close after N lines were sent to a client */
  readonly dropAfter?: number
  /** send the first half of the N-th line, then close */
  readonly cutLine?: number
  /** send every line in two parts, N ms apart */
  readonly halfLine?: number
  /** hold replies for N ms and send them in one segment */
  readonly merge?: number
  /** a line that isn't JSON before every N-th line */
  readonly garbage?: number
  /** 64 bytes that aren't UTF-8 and a line feed before every N-th line */
  readonly binary?: number
  /** one line of N bytes before the first job */
  readonly bigLine?: number
  /** empty lines and CR LF endings */
  readonly blank?: boolean
  /** delay every reply by N ms */
  readonly slow?: number
  /** never answer submits */
  readonly muteSubmit?: boolean
  /** never answer the first message */
  readonly muteLogin?: boolean
  /** never answer anything */
  readonly muteAll?: boolean
  /** log in normally, never send work */
  readonly noJob?: boolean
  /** refuse the authorization */
  readonly rejectLogin?: boolean
  /** refuse every N-th share for low difficulty */
  readonly rejectEvery?: number
  /** treat every N-th share as stale */
  readonly staleEvery?: number
  /** answer submits with an unused id */
  readonly wrongId?: boolean
  /** answer with ids turned into strings */
  readonly stringId?: boolean
  /** targets without leading zeros */
  readonly shortTarget?: boolean
  /** close after receiving N requests on a connection, without answering the last */
  readonly hangUpAfter?: number
  /** from now on read and write nothing, without notice */
  readonly halfOpen?: boolean
  /** N meaningless messages after the login */
  readonly flood?: number
  /** `client.reconnect` after the login, to host, port and seconds */
  readonly reconnect?: readonly (string | number)[]
  /** stratum2: `mining.bye` after the login */
  readonly bye?: boolean
  /** an extranonce that isn't hex (nicehash, stratum2) */
  readonly badExtranonce?: boolean
  /** nicehash: a difficulty that isn't a number */
  readonly badDifficulty?: boolean
  /** an all-zero target */
  readonly zeroTarget?: boolean
  /** hashes without 0x (stratum, eth-proxy) */
  readonly noPrefix?: boolean
  /** every job twice */
  readonly dupJob?: boolean
  /** a seed that belongs to no epoch */
  readonly badSeed?: boolean
  /** a header of 31 bytes */
  readonly badHeader?: boolean
  /** `client.get_version` after the login */
  readonly versionRequest?: boolean
  /** getwork: HTTP 503 */
  readonly httpError?: boolean
  /** getwork: "no mining work available yet" */
  readonly rpcError?: boolean
  /** getwork: chunked transfer encoding */
  readonly chunked?: boolean
}
