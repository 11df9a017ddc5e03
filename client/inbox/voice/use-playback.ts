import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { chosenSpeed, letGo, playAlone, speedAfter } from './playing.ts'

/** Aborted, or not allowed before user interaction: it can still be played. */
const isPassing = (error: unknown): boolean =>
  error instanceof DOMException && ['AbortError', 'NotAllowedError'].includes(error.name)

/** Playback state. Pass `element` and `events` to an `audio` or `video`. Times in seconds. */
export function usePlayback<E extends HTMLMediaElement>() {
  const element = useRef<E>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const [at, setAt] = useState(0)
  const [duration, setDuration] = useState(0)
  const [speed, setSpeed] = useState(chosenSpeed)
  useEffect(() => {
    const one = element.current
    return () => letGo(one)
  }, [])
  const play = () => {
    if (!element.current) return
    setSpeed(chosenSpeed())
    playAlone(element.current).catch((error: unknown) => isPassing(error) || setBroken(true))
  }
  const heed = ({ currentTarget }: SyntheticEvent<E>) => setDuration(currentTarget.duration)
  return {
    element,
    isPlaying,
    isBroken,
    at,
    /** 0: unknown. Browsers do not know the duration of their own recordings until played to the end. */
    length: Number.isFinite(duration) ? duration : 0,
    speed,
    play,
    toggle() {
      if (element.current?.paused) play()
      else element.current?.pause()
    },
    faster() {
      const next = speedAfter(speed)
      setSpeed(next)
      if (element.current) element.current.playbackRate = next
    },
    seek(to: number) {
      if (element.current) element.current.currentTime = to
      setAt(to)
    },
    events: {
      onLoadedMetadata: heed,
      onDurationChange: heed,
      onTimeUpdate: ({ currentTarget }: SyntheticEvent<E>) => setAt(currentTarget.currentTime),
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onError: () => setBroken(true),
    },
  }
}
