import { peaksFrom } from './peaks.ts'

/** WhatsApp requires Ogg; Chromium records the same codec as WebM. */
const types = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus'] as const
/** Clear enough for speech, and three minutes stay below the size that WhatsApp plays at once. */
const bitsPerSecond = 24_000
const levelEveryMs = 80
export const longestSeconds = 15 * 60

const typeHere = (): string | undefined =>
  typeof MediaRecorder === 'undefined' ? undefined : types.find(type => MediaRecorder.isTypeSupported(type))

/** False also without https: only there and on localhost does a browser give the microphone. */
export const canRecord = (): boolean => Boolean(navigator.mediaDevices?.getUserMedia) && typeHere() !== undefined

export interface RecordedVoice {
  readonly file: File
  readonly seconds: number
  /** Loudness over time, 0 to 1. */
  readonly peaks: readonly number[]
}

export interface Recording {
  /** Duration so far. */
  seconds(): number
  /** Loudness so far, 0 to 1. */
  readonly levels: readonly number[]
  /** Stops. @throws Error when nothing was recorded */
  finish(): Promise<RecordedVoice>
  discard(): void
}

const asOgg = async (blob: Blob): Promise<Blob> => {
  if (blob.type.startsWith('audio/ogg')) return blob
  const [{ readWebm }, { writeOgg }] = await Promise.all([import('./webm-opus.ts'), import('./ogg-opus.ts')])
  return new Blob(writeOgg(readWebm(new Uint8Array(await blob.arrayBuffer()))))
}

/** Starts recording the microphone. @throws DOMException when it is refused or missing */
export async function startRecording(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  })
  const context = new AudioContext()
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  try {
    // WhatsApp requires one channel; a microphone may have two.
    const mono = new MediaStreamAudioDestinationNode(context, { channelCount: 1, channelCountMode: 'explicit' })
    const ear = new AnalyserNode(context, { fftSize: 2048 })
    const source = context.createMediaStreamSource(stream)
    source.connect(mono)
    source.connect(ear)
    const recorder = new MediaRecorder(mono.stream, {
      mimeType: typeHere() ?? types[0],
      audioBitsPerSecond: bitsPerSecond,
    })
    const pieces: Blob[] = []
    recorder.ondataavailable = ({ data }) => pieces.push(data)
    recorder.start(1000)
    const begunAt = context.currentTime
    const seconds = () => context.currentTime - begunAt
    const levels: number[] = []
    const wave = new Float32Array(ear.fftSize)
    const timer = setInterval(() => {
      ear.getFloatTimeDomainData(wave)
      levels.push(
        Math.min(
          1,
          wave.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
        ),
      )
    }, levelEveryMs)
    const stop = () => {
      clearInterval(timer)
      return new Promise<void>(resolve => {
        recorder.onstop = () => resolve()
        if (recorder.state === 'inactive') resolve()
        else recorder.stop()
      }).finally(release)
    }
    return {
      levels,
      seconds,
      async finish() {
        const length = seconds()
        await stop()
        const ogg = await asOgg(new Blob(pieces, { type: recorder.mimeType }))
        return {
          file: new File([ogg], 'voz.ogg', { type: 'audio/ogg' }),
          seconds: length,
          peaks: peaksFrom(levels),
        }
      },
      discard: () => void stop(),
    }
  } catch (error) {
    release()
    throw error
  }
}
