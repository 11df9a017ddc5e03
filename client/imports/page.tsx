import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import './imports.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { FileButton } from '#client/ui/controls/file-button.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import type { ImportSource } from '#shared/imports/states.ts'
import { AddressForm } from './address-form.tsx'
import { ImportCard } from './import-card.tsx'
import { chatImportsQuery } from './queries.ts'
import { uploadFile } from './upload-file.ts'

/** The other direction: where chats, contacts and everything else can be exported. */
function Leaving() {
  const { t } = useTranslation('imports')
  const { slug, role } = useOrg()
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('leaving.title')}</h2>
      <p>{t('leaving.says')}</p>
      <div className="card-buttons">
        {roleCan(effectiveRole(role), 'data:export') ? (
          <Link className="button" to={`${paths.settingsOf(slug, 'data')}#export`}>
            {t('leaving.all')}
          </Link>
        ) : null}
        <Link className="button" to={paths.contacts(slug)}>
          {t('leaving.contacts')}
        </Link>
      </div>
    </section>
  )
}

export const loader = (args: LoaderFunctionArgs) => start(args, chatImportsQuery(args.params.org ?? ''))

const sources = ['whatsapp', 'chatwoot', 'whaticket', 'recado'] as const satisfies readonly ImportSource[]
const dumps = '.sql,.gz,.zip,.dump'
const accepted: Readonly<Record<ImportSource, string>> = {
  whatsapp: '.zip,.txt',
  recado: '.zip',
  chatwoot: dumps,
  whaticket: dumps,
}

interface Sending {
  readonly name: string
  readonly percent: number
  readonly fault?: string
}

const cardId = (id: string) => `import-${id}`
const showImport = (id: string) => requestAnimationFrame(() => document.getElementById(cardId(id))?.focus())
/** The focus stays where it is if somebody is filling in another import. */
const isWriting = () => document.activeElement?.closest('.import-list') !== null && document.activeElement !== null

/** The source that is chosen on the screen. A choice before hydration may not be in the state yet. */
const shownSource = (field: HTMLElement): ImportSource | undefined => {
  const value = field.closest('section')?.querySelector<HTMLInputElement>('input[type=radio]:checked')?.value
  return sources.find(name => name === value)
}

interface ChooseProps {
  /** Imports whose file this tab is uploading: their progress is shown here. */
  onSending(ids: (all: readonly string[]) => readonly string[]): void
  /** An import that is fetched began. */
  onBegun(id: string): void
}

/** Chooses files and uploads them one after another. */
function Choose({ onSending, onBegun }: ChooseProps) {
  const { t } = useTranslation('imports')
  const { slug } = useOrg()
  const id = useId()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [source, setSource] = useState<ImportSource>('whatsapp')
  const [files, setFiles] = useState<readonly Sending[]>([])
  const change = (name: string, patch: Partial<Sending>) =>
    setFiles(all => all.map(one => (one.name === name ? { ...one, ...patch } : one)))
  const send = async (chosen: readonly File[], source: ImportSource) => {
    setFiles(chosen.map(({ name }) => ({ name, percent: 0 })))
    for (const file of chosen) {
      let begun: string | undefined
      const onBegun = (id: string) => {
        begun = id
        onSending(all => [...all, id])
      }
      const onPercent = (percent: number) => change(file.name, { percent })
      let isThere = false
      try {
        await uploadFile(file, { org: slug, api, source, onPercent, onBegun })
        setFiles(all => all.filter(({ name }) => name !== file.name))
        isThere = true
      } catch (error) {
        const fault = failureText(error)
        change(file.name, { fault: begun ? `${fault} ${t('choose.broken')}` : fault })
      }
      onSending(all => all.filter(id => id !== begun))
      await client.invalidateQueries({ queryKey: chatImportsQuery(slug).queryKey })
      // Below the fold on a phone.
      if (isThere && begun && !isWriting()) showImport(begun)
    }
  }
  return (
    <section className="card stack" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <h2 id={`${id}-title`}>{t('choose.title')}</h2>
      </div>
      <fieldset className="import-sources" aria-labelledby={`${id}-title`}>
        {sources.map(name => (
          <label key={name}>
            <input
              type="radio"
              name={`${id}-source`}
              value={name}
              checked={source === name}
              onChange={() => setSource(name)}
            />
            <span>
              <b>{t(`choose.source.${name}`)}</b>
              <small>{t(`choose.source.${name}Says`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {source === 'chatwoot' ? (
        <>
          <AddressForm onBegun={onBegun} />
          <h3 className="import-way">{t('choose.address.copy')}</h3>
        </>
      ) : null}
      <ol className="import-steps">
        {(['open', 'export', 'bring'] as const).map(step => (
          <li key={step}>{t(`choose.steps.${source}.${step}`)}</li>
        ))}
      </ol>
      <div className="field">
        <label htmlFor={id}>{t('choose.files')}</label>
        <FileButton
          id={id}
          isMain
          accept={accepted[source]}
          multiple={source === 'whatsapp'}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            void send([...(target.files ?? [])], shownSource(target) ?? source)
            target.value = ''
          }}
        />
        <div id={`${id}-hint`} className="field-hint">
          {t(source === 'whatsapp' ? 'choose.hint' : 'choose.archiveHint')}
        </div>
      </div>
      {files.map(({ name, percent, fault }) => (
        <div key={name} className="import-sending">
          <span className="cut" dir="auto">
            {name}
          </span>
          {fault ? null : (
            <>
              <progress aria-label={t('choose.uploading', { name })} max={100} value={percent} />
              <span className="small">{t('choose.percent', { percent })}</span>
            </>
          )}
          {fault ? <Fault>{fault}</Fault> : null}
        </div>
      ))}
    </section>
  )
}

/** The imports, but for those whose file this tab is uploading. One that began here takes the focus when it appears. */
function Items({ sending, begun }: { readonly sending: readonly string[]; readonly begun: string | undefined }) {
  const { t } = useTranslation('imports')
  const { slug } = useOrg()
  const client = useQueryClient()
  const query = chatImportsQuery(slug)
  const { items } = useAnswer(query)
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey })
  useEvents({ chatImport: refresh }, refresh)
  const isThere = items.some(({ id }) => id === begun)
  useEffect(() => {
    if (begun !== undefined && isThere) document.getElementById(cardId(begun))?.focus()
  }, [begun, isThere])
  const shown = items.filter(({ id, state }) => state !== 'uploading' || !sending.includes(id))
  if (!shown.length) return <p className="small">{t('none')}</p>
  return (
    <ul className="import-list">
      {shown.map(one => (
        // It takes the focus when the one before it goes, or when its form does.
        <li key={one.id} id={cardId(one.id)} tabIndex={-1}>
          <ImportCard one={one} onChanged={refresh} />
        </li>
      ))}
    </ul>
  )
}

/** `/org/{slug}/integrations/imports`: chats that WhatsApp exported, dumps of other programs, and archives of other organizations. */
export default function ImportsPage() {
  const { t } = useTranslation('imports')
  const [sending, setSending] = useState<readonly string[]>([])
  const [begun, setBegun] = useState<string>()
  return (
    <main className="sheet">
      <SheetHead title={t('title')}>{t('says')}</SheetHead>
      <Choose onSending={setSending} onBegun={setBegun} />
      <Suspense
        fallback={<div className="skeleton skeleton-rows import-skeleton" role="status" aria-label={t('loading')} />}
      >
        <Items sending={sending} begun={begun} />
      </Suspense>
      <Leaving />
    </main>
  )
}
