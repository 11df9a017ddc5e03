import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { PhoneMessage } from '#shared/simulator/phone.ts'
import { blobOf } from './files.ts'
import { fileQuery } from './queries.ts'
import { gist, kindName, type SimulatorT } from './words.ts'

interface PhoneFileProps {
  readonly org: string
  readonly message: PhoneMessage
  readonly t: SimulatorT
}

/** An object URL of the file while it is shown; undefined until it is loaded. */
const useAddress = (data: { dataBase64: string | null; mime: string } | undefined): string | undefined => {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data?.dataBase64) return
    const made = URL.createObjectURL(blobOf(data.dataBase64, data.mime))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return address
}

const Placeholder = ({ message, t, text }: Omit<PhoneFileProps, 'org'> & { text: string }) => (
  <span className={`sim-file sim-file-${message.type}`}>
    <Icon name="file" />
    <span className="cut">
      <bdi>{message.media?.name ?? kindName(t, message)}</bdi>
      <small>{text}</small>
    </span>
  </span>
)

/** The file of an id never changes. */
const forever = Number.POSITIVE_INFINITY

const Fetched = ({ org, id, message, t }: PhoneFileProps & { id: string }) => {
  const { data, isError } = useQuery({ ...fileQuery(org, id), staleTime: forever })
  const address = useAddress(data)
  if (isError) return <Placeholder message={message} t={t} text={t('media.gone')} />
  if (data && data.dataBase64 === null) return <Placeholder message={message} t={t} text={t('media.tooBig')} />
  const mime = data?.mime ?? ''
  const kind = mime.startsWith('image/') ? 'image' : (mime.split('/')[0] ?? '')
  if (!address || !data) return <Placeholder message={message} t={t} text={t('media.loading')} />
  if (kind === 'image' && message.type !== 'document')
    return (
      <a className="sim-picture" href={address} target="_blank" rel="noopener" aria-label={t('media.open')}>
        <img className={`sim-${message.type}`} src={address} alt={gist(t, message)} />
      </a>
    )
  // biome-ignore lint/a11y/useMediaCaption: what a person recorded has none
  if (kind === 'video') return <video className="sim-video" src={address} controls aria-label={kindName(t, message)} />
  // biome-ignore lint/a11y/useMediaCaption: as above
  if (kind === 'audio') return <audio className="sim-audio" src={address} controls aria-label={kindName(t, message)} />
  const name = data.name ?? message.media?.name ?? kindName(t, message)
  return (
    <a className="sim-file" href={address} download={name} aria-label={t('media.save', { name })}>
      <Icon name="file" />
      <span className="cut">
        <bdi>{name}</bdi>
        <small>{Math.max(1, Math.round(data.size / 1024))} KB</small>
      </span>
      <Icon name="download" />
    </a>
  )
}

/** A file on the phone. Linked files are shown as links, because the page loads nothing from other sites. */
export const PhoneFile = (props: PhoneFileProps) => {
  const id = props.message.media?.id
  return id ? <Fetched {...props} id={id} /> : <Placeholder {...props} text={props.t('media.gone')} />
}
