import { useEffect, useRef, useState } from 'react'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Act } from './act.ts'
import { actionOfVoice, maxFileBytes } from './files.ts'
import { canRecord, type Recording, startRecording } from './recorder.ts'
import type { SimulatorT } from './words.ts'

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Records a voice message if the browser can write Ogg with Opus; otherwise it sends a sample. */
export function VoiceButton({ t, act }: { t: SimulatorT; act: Act }) {
  const [records, setRecords] = useState(false)
  const [recording, setRecording] = useState<Recording>()
  const [seconds, setSeconds] = useState(0)
  const running = useRef<Recording>(undefined)
  running.current = recording
  // The server does not know what the browser can record.
  useEffect(() => setRecords(canRecord()), [])
  useEffect(() => () => running.current?.discard(), [])
  useEffect(() => {
    if (!recording) return
    setSeconds(0)
    const timer = setInterval(() => setSeconds(past => past + 1), 1000)
    return () => clearInterval(timer)
  }, [recording])

  const begin = async () => {
    if (!records) return void act({ type: 'voice' })
    try {
      setRecording(await startRecording())
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      toast(t('voice.denied'), { kind: 'info' })
      void act({ type: 'voice' })
    }
  }
  const finish = async () => {
    if (!recording) return
    setRecording(undefined)
    const sound = await recording.finish()
    if (sound.size > maxFileBytes) toast(t('voice.long'), { kind: 'error' })
    else void act(await actionOfVoice(sound))
  }
  if (recording)
    return (
      <span className="sim-recording line">
        <span role="status">{t('voice.recording', { time: clock(seconds) })}</span>
        <button
          type="button"
          className="icon-button"
          aria-label={t('voice.cancel')}
          onClick={() => {
            setRecording(undefined)
            recording.discard()
          }}
        >
          <Icon name="close" />
        </button>
        <button type="button" className="sim-send" aria-label={t('voice.stop')} onClick={() => void finish()}>
          <Icon name="send" />
        </button>
      </span>
    )
  const label = t(records ? 'voice.record' : 'voice.sample')
  return (
    <button type="button" className="sim-send" aria-label={label} title={label} onClick={() => void begin()}>
      <Icon name="mic" />
    </button>
  )
}
