import './voice.css'
import { useTranslation } from 'react-i18next'
import { useFoundNear } from '#client/ui/page/use-found-near.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { BrokenRecording } from './broken.tsx'
import { barCount, peaksOf } from './peaks.ts'
import { clockOf } from './playing.ts'
import { usePlayback } from './use-playback.ts'

interface PlayerProps {
  readonly src: string
  /** Accessible name. */
  readonly label: string
  readonly bytes: number | null
  /** Known if it was just recorded. */
  readonly peaks?: readonly number[]
  readonly seconds?: number
}

const barWidth = 3
const barStep = 5
const waveHeight = 28
const waveWidth = barCount * barStep - (barStep - barWidth)
const flat = Array<number>(barCount).fill(0)

/** All bars, or those already played, as one path. */
const barsPath = (peaks: readonly number[], part = 1): string =>
  peaks
    .slice(0, Math.round(part * peaks.length))
    .map((peak, i) => {
      const height = Math.max(3, peak * waveHeight)
      return `M${i * barStep + barWidth / 2} ${(waveHeight - height) / 2}v${height}`
    })
    .join('')

/** An audio player with waveform, duration and speed. */
export default function VoicePlayer({ src, label, bytes, peaks: given, seconds }: PlayerProps) {
  const { t } = useTranslation('inbox')
  const { box, found } = useFoundNear(given ? undefined : src, one => peaksOf(one, bytes))
  const peaks = given ?? found ?? flat
  const { element, isPlaying, isBroken, at, speed, toggle, faster, seek, events, ...heard } =
    usePlayback<HTMLAudioElement>()
  const length = heard.length || (seconds ?? 0)
  if (isBroken) return <BrokenRecording src={src} />
  return (
    <span className="voice-player" ref={box}>
      <audio ref={element} src={src} preload="metadata" {...events} onEnded={() => seek(0)} />
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
