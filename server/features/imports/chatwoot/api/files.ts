import { faultsIn } from '#server/platform/outbound/faults.ts'
import { OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { fileMaxBytes } from '../../reading/file-kinds.ts'
import { FileMissing } from '../../reading/record-source.ts'
import { RemoteTrouble, troubleOf } from './client.ts'

export type OpenStream = (
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Response>

export interface FileSource {
  /** Chatwoot's own. */
  readonly address: string
  readonly signal: AbortSignal
  /** The attempts of the job, including this one. */
  readonly attempts: number
}

const hopsAtMost = 5
/** After these a file that never comes does not stop the import. */
const attemptsAtMost = 3
/** This server has no network, or no name service. */
const faultsHere = new Set<unknown>(['EAI_AGAIN', 'ENETDOWN', 'ENETUNREACH'])
/** The timeout of a whole file: 100 MB at three megabits a second. */
const withinMs = 300_000

const isOn = (host: string, address: string): boolean => new URL(host).hostname === new URL(address).hostname

/**
 * The bytes of a file of a message. Chatwoot's addresses of files lead to where it keeps them, and need no token. A host
 * besides Chatwoot's that does not answer may be gone for good, so its files are missing.
 * @throws FileMissing, RemoteTrouble
 */
export const createOpenAddress = (openStream: OpenStream, { address: own, signal: stopped, attempts }: FileSource) =>
  async function* (address: string): AsyncGenerator<Uint8Array> {
    const late = AbortSignal.timeout(withinMs)
    const signal = AbortSignal.any([stopped, late])
    let at = address
    try {
      for (let hops = 0; ; hops += 1) {
        const response = await openStream(at, {}, signal)
        const location = response.headers.get('location')
        if (response.status === 200) {
          let bytes = 0
          for await (const chunk of response.body ?? []) {
            bytes += chunk.length
            if (bytes > fileMaxBytes) throw new FileMissing('fileTooLarge')
            yield chunk
          }
          return
        }
        await response.body?.cancel().catch(() => undefined)
        const trouble = troubleOf(response.status, response.headers)
        if (trouble?.reason === 'limited') throw trouble
        if (trouble?.reason !== 'moved' || !location || hops === hopsAtMost || !URL.canParse(location, at))
          throw new FileMissing('fileMissing', { cause: trouble })
        at = new URL(location, at).href
      }
    } catch (error) {
      if (error instanceof FileMissing || error instanceof RemoteTrouble || stopped.aborted) throw error
      const isLast = attempts >= attemptsAtMost
      const mayComeBack = isOn(own, at) || faultsIn(error).some(({ code }) => faultsHere.has(code))
      // It may not be called, or never ends; asking again does not help.
      const isRefused =
        error instanceof OutboundFailure || faultsIn(error).some(({ name }) => name === 'PrivateAddress')
      if (isRefused || late.aborted || isLast || !mayComeBack) throw new FileMissing('fileMissing', { cause: error })
      throw new RemoteTrouble('silent', { cause: error })
    }
  }
