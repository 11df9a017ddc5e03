import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { type Prepared, prepareFile } from '#client/ui/files/prepare-file.ts'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { bytesText, captionMaxChars, type FileKind, takesCaption } from '#shared/media/sent-files.ts'
import { gapIn } from '#shared/ready-answers/api.ts'
import { iconOf } from '../../words.ts'
import { FileInput } from './file-input.tsx'
import './files-dialog.css'

/** A checked file with its caption. */
export interface ChosenFile {
  file: File
  kind: FileKind
  caption: string
}

interface FilesDialogProps {
  /** The recipient's name. */
  readonly name: string
  readonly files: readonly File[]
  /** The caption of the first file. */
  readonly caption?: string | undefined
  onSend(files: readonly ChosenFile[]): void
  onClose(): void
}

interface Entry {
  key: number
  file: File
  caption: string
  /** Undefined while it is being checked. */
  prepared: Prepared | undefined
  url: string
}

/** The name of an unfilled gap in a ready answer. */
const markIn = (caption: string): string | undefined => {
  const found = gapIn(caption)
  return found && caption.slice(found.from + 1, found.to - 1)
}

const maxAtOnce = 30
let lastKey = 0

const Picture = ({ entry }: { entry: Entry }) => {
  const kind = entry.prepared && 'kind' in entry.prepared ? entry.prepared.kind : undefined
  if (kind === 'image') return <img src={entry.url} alt="" />
  if (kind === 'video') return <video src={entry.url} preload="metadata" muted />
  return <Icon name={(kind && iconOf(kind)) ?? 'file'} />
}

/** Before files are sent: shows each with its caption, and why one cannot be sent. */
export default function FilesDialog({ name, files, caption: given = '', onSend, onClose }: FilesDialogProps) {
  const { t } = useTranslation('inbox')
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const urls = useRef(new Set<string>())
  const first = useRef<HTMLTextAreaElement>(null)

  const add = (more: readonly File[], said = '') => {
    const made = more.slice(0, maxAtOnce - entries.length).map((file, i): Entry => {
      lastKey += 1
      const url = URL.createObjectURL(file)
      urls.current.add(url)
      return { key: lastKey, file, caption: i ? '' : said, prepared: undefined, url }
    })
    setEntries(known => [...known, ...made])
    for (const { key, file } of made)
      void prepareFile(file).then(prepared =>
        setEntries(known => known.map(entry => (entry.key === key ? { ...entry, prepared } : entry))),
      )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: those it was opened with
  useEffect(() => {
    const made = urls.current
    add(files, given)
    return () => {
      for (const url of made) URL.revokeObjectURL(url)
      made.clear()
      setEntries([])
    }
  }, [])
  const [isHeld, setIsHeld] = useState(false)
  const isReady = entries.length > 0 && entries.every(({ prepared }) => prepared && 'kind' in prepared)
  useEffect(() => {
    if (isReady) first.current?.focus()
  }, [isReady])

  const remove = (key: number) => {
    const rest = entries.filter(entry => entry.key !== key)
    if (rest.length) setEntries(rest)
    else onClose()
  }
  const gap = entries.map(({ caption }) => markIn(caption)).find(what => what !== undefined)
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isReady) return
    // A text with an unfilled gap is not sent.
    if (gap !== undefined) return setIsHeld(true)
    onSend(
      entries.flatMap(({ prepared, caption }) =>
        prepared && 'kind' in prepared ? [{ ...prepared, caption: caption.trim() }] : [],
      ),
    )
    onClose()
  }
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    send()
  }
  const firstCaptioned = entries.find(({ prepared }) => prepared && 'kind' in prepared && takesCaption(prepared.kind))
  return (
    <Modal title={t('files.title', { name })} width={520} onClose={onClose}>
      <form onSubmit={send}>
        <ul className="files">
          {entries.map(entry => {
            const { key, file, prepared, caption } = entry
            const problem = prepared && 'problem' in prepared ? prepared : undefined
            const kind = prepared && 'kind' in prepared ? prepared.kind : undefined
            const size = prepared && 'file' in prepared ? prepared.file.size : file.size
            return (
              <li key={key} className="files-one">
                <span className="files-picture center">
                  <Picture entry={entry} />
                </span>
                <span className="files-what">
                  <span className="cut" title={file.name}>
                    <bdi>{file.name}</bdi> <small>{bytesText(size)}</small>
                  </span>
                  {problem ? (
                    <span className="files-problem" role="alert">
                      {t(`files.${problem.problem}`, { limit: bytesText(problem.limit) })}
                    </span>
                  ) : null}
                  {kind && takesCaption(kind) ? (
                    <textarea
                      dir="auto"
                      ref={entry === firstCaptioned ? first : undefined}
                      rows={1}
                      maxLength={captionMaxChars}
                      placeholder={t('files.caption')}
                      aria-label={t('files.captionOf', { file: file.name })}
                      value={caption}
                      onChange={({ target }) =>
                        setEntries(known =>
                          known.map(one => (one.key === key ? { ...one, caption: target.value } : one)),
                        )
                      }
                      onKeyDown={sendOnEnter}
                    />
                  ) : null}
                </span>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('files.remove', { file: file.name })}
                  onClick={() => remove(key)}
                >
                  <Icon name="close" />
                </button>
              </li>
            )
          })}
        </ul>
        {gap === undefined ? null : (
          <p className="files-problem" role={isHeld ? 'alert' : 'status'}>
            {t('answers.fillIn', { what: gap })}
          </p>
        )}
        <div className="files-steps line wrap">
          {entries.length < maxAtOnce ? <FileInput label={t('files.more')} icon="plus" onFiles={add} hasWords /> : null}
          <button type="button" className="button" onClick={onClose}>
            {t('files.cancel')}
          </button>
          <button type="submit" className="button button-primary" disabled={!isReady}>
            <Icon name="send" />
            {t('files.send', { count: entries.length })}
          </button>
        </div>
      </form>
    </Modal>
  )
}
