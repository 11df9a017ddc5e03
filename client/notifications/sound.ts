/** One per page; browsers let it sound only after the person has touched the page. */
let context: AudioContext | undefined
let lastAt = Number.NEGATIVE_INFINITY
const quietMs = 3_000
/** Opening the sound holds the page for some fifty milliseconds: not before what the touch was for has been painted. */
const afterTouchMs = 300

const open = (): AudioContext | undefined => {
  if (typeof AudioContext !== 'function') return undefined
  context ??= new AudioContext()
  return context
}

/** Waits for the first touch and lets the page sound from then on; answers how to stop waiting. */
export const unlockSound = (): (() => void) => {
  const events = ['pointerdown', 'pointerup', 'keydown'] as const
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    for (const event of events) removeEventListener(event, unlock, true)
  }
  const unlock = () => {
    // Control alone, or a finger that may yet scroll, is no touch to the browser: it would complain in the console.
    if (navigator.userActivation?.hasBeenActive === false) return
    stop()
    timer = setTimeout(() => {
      // A browser that still says no is asked again by the next sound.
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

/** Two soft tones. False: the browser does not let this page sound yet, or cannot. */
export const playSound = async (): Promise<boolean> => {
  const audio = open()
  if (!audio) return false
  if (audio.state !== 'running') await Promise.race([audio.resume(), new Promise(resolve => setTimeout(resolve, 500))])
  if ((audio.state as string) !== 'running') return false
  tone(audio, 659.25, 0)
  tone(audio, 880, 0.16)
  return true
}

/** For what arrives: at most once in three seconds, and nothing before the person has touched the page. */
export const ring = async (): Promise<void> => {
  if (!context || performance.now() - lastAt < quietMs) return
  lastAt = performance.now()
  await playSound()
}
