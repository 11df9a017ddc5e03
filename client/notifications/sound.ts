/** One per page. Browsers allow sound only after the person has interacted with the page. */
let context: AudioContext | undefined
let lastAt = Number.NEGATIVE_INFINITY
const quietMs = 3_000
/**
 * Creating the audio context blocks the page for about fifty milliseconds, so it waits until the click's effect was
 * painted.
 */
const afterTouchMs = 300

const open = (): AudioContext | undefined => {
  if (typeof AudioContext !== 'function') return undefined
  context ??= new AudioContext()
  return context
}

/** Waits for the first interaction and enables sound. Returns how to stop waiting. */
export const unlockSound = (): (() => void) => {
  const events = ['pointerdown', 'pointerup', 'keydown'] as const
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, unlock, true)
  }
  const unlock = () => {
    // Control alone, or a touch that may become a scroll, does not count as interaction and would log a warning.
    if (navigator.userActivation?.hasBeenActive === false) return
    stop()
    timer = setTimeout(() => {
      // If the browser refuses, the next sound retries.
      void open()
        ?.resume()
        .catch(() => undefined)
    }, afterTouchMs)
  }
  for (const event of events) addEventListener(event, unlock, true)
  return stop
}

const tone = (audio: AudioContext, hertz: number, startS: number) => {
  const oscillator = audio.createOscillator()
  const volume = audio.createGain()
  const at = audio.currentTime + startS
  oscillator.frequency.value = hertz
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(0.12, at + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.35)
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start(at)
  oscillator.stop(at + 0.4)
}

/** Two soft tones. False: the browser does not allow sound yet, or cannot play it. */
export const playSound = async (): Promise<boolean> => {
  const audio = open()
  if (!audio) return false
  if (audio.state !== 'running') await Promise.race([audio.resume(), new Promise(resolve => setTimeout(resolve, 500))])
  if ((audio.state as string) !== 'running') return false
  tone(audio, 659.25, 0)
  tone(audio, 880, 0.16)
  return true
}

/**
 * Plays the sound of a notification: at most once in three seconds, and only after the person has interacted with the
 * page.
 */
export const ring = async (): Promise<void> => {
  if (!context || performance.now() - lastAt < quietMs) return
  lastAt = performance.now()
  await playSound()
}
