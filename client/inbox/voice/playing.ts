/** How fast one may listen and watch. */
const speeds = [1, 1.5, 2] as const
export type Speed = (typeof speeds)[number]

/** From one recording to the next. Browser only. */
let chosen: Speed = 1
/** Whoever begins ends the other. Browser only. */
let playing: HTMLMediaElement | undefined

/** As it was last chosen. */
export const chosenSpeed = (): Speed => chosen

/** The speed after this one is chosen. */
export const speedAfter = (speed: Speed): Speed => {
  chosen = speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1
  return chosen
}

/** Plays it at the chosen speed and ends what plays elsewhere. @throws what the browser does not play */
export const playAlone = (element: HTMLMediaElement): Promise<void> => {
  if (playing !== element) playing?.pause()
  playing = element
  element.playbackRate = chosen
  return element.play()
}

/** It leaves the page. */
export const letGo = (element: HTMLMediaElement | null) => {
  if (playing === element) playing = undefined
}

export const clockOf = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
