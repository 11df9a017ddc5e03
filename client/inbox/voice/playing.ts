/** Playback speeds. */
const speeds = [1, 1.5, 2] as const
type Speed = (typeof speeds)[number]

/** The speed, kept from one recording to the next. Browser only. */
let chosen: Speed = 1
/** Starting one stops the other. Browser only. */
let playing: HTMLMediaElement | undefined

/** The last chosen speed. */
export const chosenSpeed = (): Speed => chosen

/** Chooses and returns the next speed. */
export const speedAfter = (speed: Speed): Speed => {
  chosen = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1
  return chosen
}

/** Plays at the chosen speed and stops what else plays. @throws when the browser cannot play it */
export const playAlone = (element: HTMLMediaElement): Promise<void> => {
  if (playing !== element) playing?.pause()
  playing = element
  element.playbackRate = chosen
  return element.play()
}

/** Call it when the element is removed. */
export const letGo = (element: HTMLMediaElement | null) => {
  if (playing === element) playing = undefined
}

export const clockOf = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
