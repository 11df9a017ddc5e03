import './voice.css'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { barCount } from './peaks.ts'
import VoicePlayer from './player.tsx'
import { clockOf } from './playing.ts'
import { canRecord, longestSeconds, type RecordedVoice, type Recording, startRecording } from './recording.ts'

interface RecorderProps {
  onSend(file: File): void
  onClose(): void
}

const drawEveryMs = 100

/** Records a voice note in place of the composer. After stopping, it can be played before sending. */
export default function VoiceRecorder({ onSend, onClose }: RecorderProps) {
  const { t } = useTranslation('inbox')
  const [recording, setRecording] = useState<Recording>()
  const [heard, setHeard] = useState<RecordedVoice & { url: string }>()
  const [levels, setLevels] = useState<readonly number[]>([])
  const [seconds, setSeconds] = useState(0)
  const running = useRef<Recording>(undefined)
  const box = useRef<HTMLDivElement>(null)

  const refuse = (why: 'denied' | 'missing' | 'cannot' | 'nothing') => {
    toast(t(`voice.${why}`), { kind: 'error' })
    onClose()
  }
  const begin = useEffectEvent(async (isGone: () => boolean) => {
    if (!canRecord()) return refuse('cannot')
    try {
      const begun = await startRecording()
      if (isGone()) return begun.discard()
      running.current = begun
      setRecording(begun)
    } catch (error) {
      if (!isGone()) refuse(error instanceof DOMException && error.name === 'NotFoundError' ? 'missing' : 'denied')
    }
  })
  useEffect(() => {
    let isGone = false
    void begin(() => isGone)
    return () => {
      isGone = true
      // Leaving the chat stops the recording.
      running.current?.discard()
      running.current = undefined
    }
  }, [])
  const finish = useEffectEvent(async (): Promise<RecordedVoice | undefined> => {
    const ended = running.current
    running.current = undefined
    if (!ended) return undefined
    try {
      return await ended.finish()
    } catch (error) {
      console.warn('Nothing was recorded', error)
      refuse('nothing')
      return undefined
    }
  })
  const stop = useEffectEvent(async () => {
    const voice = await finish()
    if (voice) setHeard({ ...voice, url: URL.createObjectURL(voice.file) })
    setRecording(undefined)
  })
  useEffect(() => {
    if (!recording) return
    box.current?.querySelector<HTMLElement>('.voice-stop')?.focus()
    const timer = setInterval(() => {
      const past = recording.seconds()
      setSeconds(past)
      setLevels(recording.levels.slice(-barCount))
      if (past >= longestSeconds) void stop()
    }, drawEveryMs)
    return () => clearInterval(timer)
  }, [recording])
  useEffect(() => {
    if (!heard) return
    box.current?.querySelector<HTMLElement>('.voice-play')?.focus()
    return () => URL.revokeObjectURL(heard.url)
  }, [heard])

  const send = async () => {
    const voice = heard ?? (await finish())
    if (!voice) return
    onSend(voice.file)
    onClose()
  }
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Escape ends the recording without leaving the chat.
    event.stopPropagation()
    onClose()
  }
  const isReady = recording !== undefined || heard !== undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape from anything in it; it has a button, too
    <div className="composer" ref={box} onKeyDown={key}>
      <div className="composer-box voice-recorder">
        <button
          type="button"
          className="icon-button"
          aria-label={t('voice.discard')}
          data-tip={t('voice.discard')}
          onClick={onClose}
        >
          <Icon name="trash" />
        </button>
        {heard ? (
          <VoicePlayer
            src={heard.url}
            label={t('kind.voice')}
            bytes={heard.file.size}
            peaks={heard.peaks}
            seconds={heard.seconds}
          />
        ) : (
          <>
            <span className="voice-on" role="timer" aria-label={t('voice.recording')}>
              {clockOf(seconds)}
            </span>
            <span className="voice-levels">
              <svg viewBox={`0 0 ${barCount * 5} 28`} preserveAspectRatio="none" aria-hidden="true">
                <path
                  d={levels
                    .map((level, i) => {
                      const height = Math.max(3, Math.sqrt(level) * 28)
                      return `M${(barCount - levels.length + i) * 5 + 2} ${(28 - height) / 2}v${height}`
                    })
                    .join('')}
                />
              </svg>
            </span>
            <button
              type="button"
              className="icon-button voice-stop"
              aria-label={t('voice.stop')}
              data-tip={t('voice.stop')}
              disabled={!isReady}
              onClick={() => void stop()}
            >
              <Icon name="stop" />
            </button>
          </>
        )}
        <button type="button" className="button button-primary" disabled={!isReady} onClick={() => void send()}>
          <Icon name="send" />
          {t('composer.send')}
        </button>
      </div>
    </div>
  )
}
