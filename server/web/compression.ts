import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

export type Coding = 'br' | 'gzip'

/** The best encoding that the client accepts; undefined: none of ours. */
export const codingOf = (accepted: string | undefined): Coding | undefined => {
  const names = (accepted ?? '')
    .split(',')
    .filter(part => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map(part => part.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).find(coding => names.includes(coding))
}

export interface CompressedReply {
  write(bytes: Buffer): void
  /** Sends what was written so far. */
  flush(): void
  end(): void
}

/** Small windows and fast levels, because every page is compressed for each request. */
const open = {
  br: () =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
      flush: constants.BROTLI_OPERATION_PROCESS,
    }),
  gzip: () => createGzip({ level: 5 }),
}
const flushOf = { br: constants.BROTLI_OPERATION_FLUSH, gzip: constants.Z_SYNC_FLUSH }

/** Writes into a reply, compressed if the client accepts it. Each piece is flushed, so that none waits for the next one. */
export function compressInto(raw: ServerResponse, coding: Coding | undefined): CompressedReply {
  if (!coding) return { write: bytes => void raw.write(bytes), flush: () => undefined, end: () => void raw.end() }
  const press = open[coding]()
  ;(press as Writable).on('error', error => raw.destroy(error))
  raw.once('close', () => press.destroy())
  press.pipe(raw)
  return {
    write: bytes => void press.write(bytes),
    flush: () => {
      if (!press.destroyed) press.flush(flushOf[coding])
    },
    end: () => void press.end(),
  }
}
