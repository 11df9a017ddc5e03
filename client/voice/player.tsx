import './voice.css'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/icon.tsx'
import { barCount, peaksOf } from './peaks.ts'
import { chosenSpeed, clockOf, letGo, playAlone, speedAfter } from './playing.ts'

interface PlayerProps {
  readonly src: string
  /** What it is, for who does not see it. */
  readonly label: string
  readonly bytes: number | null
  /** Known where it was recorded just now. */
  readonly peaks?: readonly number[]
  readonly seconds?: number
}

const barWidth = 3
const barStep = 5
const waveHeight = 28
const waveWidth = barCount * barStep - (barStep - barWidth)
const flat = Array<number>(barCount).fill(0)

/** All bars, or as many as have been heard, as one path. */
const barsPath = (peaks: readonly number[], part = 1): string =>
  peaks
    .slice(0, Math.round(part * peaks.length))
    .map((peak, i) => {
      const height = Math.max(3, peak * waveHeight)
      return `M${i * barStep + barWidth / 2} ${(waveHeight - height) / 2}v${height}`
    })
    .join('')

/** Peaks of what comes into sight. */
const usePeaks = (src: string, bytes: number | null, given: readonly number[] | undefined) => {
  const box = useRef<HTMLSpanElement>(null)
  const [peaks, setPeaks] = useState<readonly number[]>()
  useEffect(() => {
    const element = box.current
    if (given || !element) return
    let isGone = false
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      seen.disconnect()
      void peaksOf(src, bytes).then(found => isGone || setPeaks(found))
    })
    seen.observe(element)
    return () => {
      isGone = true
      seen.disconnect()
    }
  }, [src, bytes, given])
  return { box, peaks: given ?? peaks ?? flat }
}

/** Plays sound: with its shape, its length, and as fast as one likes. */
export default function VoicePlayer({ src, label, bytes, peaks: given, seconds }: PlayerProps) {
  const { t } = useTranslation('inbox')
  const audio = useRef<HTMLAudioElement>(null)
  const { box, peaks } = usePeaks(src, bytes, given)
  const [isPlaying, setPlaying] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const [at, setAt] = useState(0)
  const [found, setFound] = useState(0)
  const [speed, setSpeed] = useState(chosenSpeed)
  // A recording of a browser does not know its length until it was played through.
  const length = Number.isFinite(found) && found > 0 ? found : (seconds ?? 0)
  useEffect(() => {
    const element = audio.current
    return () => letGo(element)
  }, [])

  const toggle = () => {
    const element = audio.current
    if (!element) return
    if (!element.paused) return element.pause()
    setSpeed(chosenSpeed())
    playAlone(element).catch(() => setBroken(true))
  }
  const faster = () => {
    const next = speedAfter(speed)
    setSpeed(next)
    if (audio.current) audio.current.playbackRate = next
  }
  const seek = (to: number) => {
    if (audio.current) audio.current.currentTime = to
    setAt(to)
  }
  if (isBroken)
    return (
      <span className="voice-player voice-broken">
        <Icon name="warn" />
        <a href={src} download>
          {t('voice.broken')}
        </a>
      </span>
    )
  return (
    <span className="voice-player" ref={box}>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what was said */}
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onLoadedMetadata={({ currentTarget }) => setFound(currentTarget.duration)}
        onDurationChange={({ currentTarget }) => setFound(currentTarget.duration)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onError={() => setBroken(true)}
      />
      <button
        type="button"
        className="icon-button voice-play"
        aria-label={t(isPlaying ? 'voice.pause' : 'voice.play', { what: label })}
        onClick={toggle}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <span className="voice-wave">
        <svg viewBox={`0 0 ${waveWidth} ${waveHeight}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={barsPath(peaks)} />
          <path className="voice-heard" d={barsPath(peaks, length ? at / length : 0)} />
        </svg>
        <input
          type="range"
          aria-label={t('voice.place', { what: label })}
          aria-valuetext={t('voice.at', { at: clockOf(at), of: clockOf(length) })}
          min={0}
          max={length || 1}
          step={0.1}
          value={Math.min(at, length || 1)}
          onChange={({ target }) => seek(Number(target.value))}
        />
      </span>
      <span className="voice-time">{clockOf(isPlaying || at > 0 ? at : length)}</span>
      <button
        type="button"
        className="voice-speed"
        aria-label={t('voice.speed', { speed })}
        data-tip={t('voice.speedTip')}
        onClick={faster}
      >
        {speed}×
      </button>
    </span>
  )
}
