import { useId } from 'react'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import type { Act, CustomerAction } from './act.ts'
import { Disclosure } from './disclosure.tsx'
import { actionOfFile, maxFileBytes } from './files.ts'
import type { SimulatorT } from './words.ts'

const samples = [
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'mic'],
  ['document', 'file'],
  ['sticker', 'sticker'],
  ['location', 'pin'],
  ['contacts', 'card'],
  ['order', 'cart'],
] as const satisfies readonly (readonly [string, IconName])[]

const accepted = 'image/*,video/mp4,video/3gpp,audio/*,application/pdf,text/plain,.doc,.docx,.xls,.xlsx,.ppt,.pptx'

const obelisco: CustomerAction = {
  type: 'location',
  latitude: -34.603738,
  longitude: -58.38157,
  locationName: 'Obelisco',
  address: 'Av. 9 de Julio s/n, Buenos Aires',
}

const sampleOf = (type: string): CustomerAction => (type === 'location' ? obelisco : { type })

/** The things a customer can send besides text: a file of one's own, or a sample of each kind. */
export function AttachTray({ t, act, replyTo, onSent }: AttachTrayProps) {
  const id = useId()
  const send = (action: CustomerAction) => {
    onSent()
    void act({ ...action, ...(replyTo ? { replyToWamid: replyTo } : {}) })
  }
  const sendFile = async (file: File) => {
    const size = Math.ceil(file.size / 1024)
    if (file.size > maxFileBytes) toast(t('attach.tooBig', { name: file.name, size }), { kind: 'error' })
    else if (file.size === 0) toast(t('attach.empty', { name: file.name }), { kind: 'error' })
    else send(await actionOfFile(file))
  }
  return (
    <Disclosure icon="plus" label={t('composer.attach')} className="sim-tray">
      {close => (
        <>
          <p className="fine">{t('attach.sample')}</p>
          <div className="sim-samples">
            {samples.map(([type, icon]) => (
              <button
                key={type}
                type="button"
                onClick={() => {
                  close()
                  send(sampleOf(type))
                }}
              >
                <Icon name={icon} />
                {t(`kind.${type}`)}
              </button>
            ))}
          </div>
          <button
            type="button"
            className="sim-item"
            onClick={() => {
              close()
              send({ type: 'unsupported' })
            }}
          >
            {t('attach.unsupported')}
          </button>
          <label className="sim-item" htmlFor={id}>
            {t('attach.own')}
            <input
              id={id}
              className="sr-only"
              type="file"
              accept={accepted}
              aria-describedby={`${id}-hint`}
              onChange={event => {
                const file = event.target.files?.[0]
                close()
                if (file) void sendFile(file)
              }}
            />
          </label>
          <small id={`${id}-hint`} className="sim-hint fine">
            {t('attach.ownHint')}
          </small>
        </>
      )}
    </Disclosure>
  )
}

interface AttachTrayProps {
  readonly t: SimulatorT
  readonly act: Act
  /** The id of the message it replies to. */
  readonly replyTo: string | undefined
  readonly onSent: () => void
}
