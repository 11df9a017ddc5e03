import './video-player.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { BrokenRecording } from '../voice/broken.tsx'
import { clockOf } from '../voice/playing.ts'
import { usePlayback } from '../voice/use-playback.ts'

interface VideoPlayerProps {
  readonly src: string
  /** Accessible name. */
  readonly label: string
  /** True for the visible video of a carousel. It starts and stops playing with it. */
  readonly isShown?: boolean
}

const jumpSeconds = 5
const louderBy = 0.1
const idleAfterMs = 2500

/** Keyboard shortcuts while a video has the focus. */
const keyed: Readonly<Record<string, (film: HTMLVideoElement) => void>> = {
  ArrowLeft: film => {
    film.currentTime = Math.max(0, film.currentTime - jumpSeconds)
  },
  ArrowRight: film => {
    film.currentTime = Math.min(film.duration || 0, film.currentTime + jumpSeconds)
  },
  ArrowUp: film => {
    film.muted = false
    film.volume = Math.min(1, film.volume + louderBy)
  },
  ArrowDown: film => {
    film.volume = Math.max(0, film.volume - louderBy)
  },
  m: film => {
    film.muted = !film.muted
  },
}

/** Safari on phones can only make the video element itself full screen. */
interface IosVideoElement extends HTMLVideoElement {
  webkitEnterFullscreen?(): void
}

const fillScreen = (box: HTMLElement, film: IosVideoElement) => {
  if (document.fullscreenElement === box) return void document.exitFullscreen()
  // If full screen is not allowed, the video stays in place.
  if (box.requestFullscreen) return void box.requestFullscreen().catch(() => undefined)
  film.webkitEnterFullscreen?.()
}

/** True after some time without input, to hide the controls. */
const useIdle = () => {
  const [isIdle, setIdle] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const move = () => {
    setIdle(false)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIdle(true), idleAfterMs)
  }
  return { isIdle, move }
}

const useFullScreen = (box: { current: HTMLElement | null }) => {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === box.current)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [box])
  return isFull
}

interface ToolProps {
  readonly icon: IconName
  readonly label: string
  onClick(): void
}

const Tool = ({ icon, label, onClick }: ToolProps) => (
  <button type="button" className="video-tool center" aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} />
  </button>
)

/** A video player: position, time, volume, speed and full screen, by mouse, touch or keyboard. */
export default function VideoPlayer({ src, label, isShown }: VideoPlayerProps) {
  const { t } = useTranslation('inbox')
  const box = useRef<HTMLSpanElement>(null)
  const { element, isPlaying, isBroken, at, length, speed, play, toggle, faster, seek, events } =
    usePlayback<HTMLVideoElement>()
  const [isMuted, setMuted] = useState(false)
  const isFull = useFullScreen(box)
  const { isIdle, move } = useIdle()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it comes into sight, or goes
  useEffect(() => {
    if (isShown) play()
    else if (isShown === false) element.current?.pause()
  }, [isShown])

  const full = () => {
    if (box.current && element.current) fillScreen(box.current, element.current)
  }
  const key = (event: KeyboardEvent) => {
    const film = element.current
    if (!film || event.ctrlKey || event.metaKey || event.altKey) return
    move()
    if (event.key === ' ' && event.target instanceof HTMLInputElement) toggle()
    else if (event.key === 'f') full()
    else if (Object.hasOwn(keyed, event.key)) keyed[event.key]?.(film)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  if (isBroken) return <BrokenRecording src={src} />
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields; the keys are of the buttons in it
    <span
      ref={box}
      className="video"
      role="group"
      aria-label={label}
      data-quiet={(isPlaying && isIdle) || undefined}
      onKeyDown={key}
      onPointerMove={move}
    >
      <video
        ref={element}
        src={src}
        preload="metadata"
        playsInline
        {...events}
        onClick={toggle}
        onVolumeChange={({ currentTarget }) => setMuted(currentTarget.muted || currentTarget.volume === 0)}
        onPlay={() => {
          events.onPlay()
          move()
        }}
      />
      <span className="video-bar">
        <input
          type="range"
          className="video-place"
          aria-label={t('voice.place', { what: label })}
          aria-valuetext={t('voice.at', { at: clockOf(at), of: clockOf(length) })}
          min={0}
          max={length || 1}
          step={0.1}
          value={at}
          onChange={({ target }) => seek(Number(target.value))}
        />
        <span className="video-tools line">
          <Tool
            icon={isPlaying ? 'pause' : 'play'}
            label={t(isPlaying ? 'video.pause' : 'video.play')}
            onClick={toggle}
          />
          <span className="video-time">
            {clockOf(at)} / {clockOf(length)}
          </span>
          <Tool
            icon={isMuted ? 'soundOff' : 'sound'}
            label={t(isMuted ? 'video.unmute' : 'video.mute')}
            onClick={() => {
              if (element.current) element.current.muted = !element.current.muted
            }}
          />
          <button
            type="button"
            className="video-tool center"
            aria-label={t('voice.speed', { speed })}
            title={t('voice.speedTip')}
            onClick={faster}
          >
            {speed}×
          </button>
          <Tool
            icon={isFull ? 'shrink' : 'expand'}
            label={t(isFull ? 'video.leaveFull' : 'video.full')}
            onClick={full}
          />
        </span>
      </span>
    </span>
  )
}
