/** WhatsApp's format of voice messages. Browsers that record another one send the sample. */
const mimeType = 'audio/ogg;codecs=opus'

export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' &&
  Boolean(navigator.mediaDevices?.getUserMedia) &&
  MediaRecorder.isTypeSupported(mimeType)

export interface Recording {
  /** Stops and returns the recording. */
  finish(): Promise<Blob>
  discard(): void
}

/** @throws DOMException if the microphone is refused or missing */
export async function startRecording(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: 16_000 })
  const pieces: Blob[] = []
  recorder.ondataavailable = event => pieces.push(event.data)
  recorder.start()
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  return {
    finish: () =>
      new Promise(resolve => {
        recorder.onstop = () => {
          release()
          resolve(new Blob(pieces, { type: mimeType }))
        }
        recorder.stop()
      }),
    discard: () => {
      recorder.onstop = null
      recorder.stop()
      release()
    },
  }
}
