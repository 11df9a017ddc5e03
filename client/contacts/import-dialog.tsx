import { useWork } from '#client/app/calls/use-work.ts'
import './import.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { FileButton } from '#client/ui/controls/file-button.tsx'
import { peopleFiles, readCsvText } from '#client/ui/files/csv-text.ts'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import {
  type ContactImport,
  fieldTarget,
  type ImportPreview,
  importMaxChars,
  importTargets,
} from '#shared/contacts/imports.ts'
import { isVcard } from '#shared/people-files/vcard.ts'
import { ColumnTargets, ImportOptions } from './import-fields.tsx'
import { Preview } from './import-preview.tsx'
import { ImportProgress } from './import-progress.tsx'
import { importsQuery } from './queries.ts'

interface Asked {
  readonly file: string
  readonly text: string
  readonly columns?: readonly string[]
  readonly hasHeader?: boolean
  readonly existing: 'keep' | 'replace'
  readonly tagId: string
}

const inputOf = ({ text, columns, hasHeader, existing, tagId }: Asked) => ({
  text,
  existing,
  ...(columns ? { columns: [...columns] } : {}),
  ...(hasHeader === undefined ? {} : { hasHeader }),
  ...(tagId ? { tagId } : {}),
})

function Form({ onBegun, onClose }: { onBegun(one: ContactImport): void; onClose(): void }) {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const id = useId()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const fields = useAnswer(contactFieldsQuery(slug)).items
  const tags = useAnswer(tagsQuery(slug)).items
  const [asked, setAsked] = useState<Asked>()
  const [seen, setSeen] = useState<ImportPreview>()
  const [failure, setFailure] = useState<string>()
  const [isLooking, look] = useWork()
  const [isBeginning, begin] = useWork()
  /** Only the last request counts. */
  const turn = useRef(0)
  const nameOf = (target: string) =>
    fields.find(field => fieldTarget(field.id) === target)?.label ??
    t(`import.target.${target as (typeof importTargets)[number]}`)

  const ask = (next: Asked) => {
    turn.current += 1
    const mine = turn.current
    setAsked(next)
    look(async () => {
      setFailure(undefined)
      try {
        const found = await api.contactImports.preview({ body: inputOf(next) })
        if (mine === turn.current) setSeen(found)
      } catch (error) {
        if (mine === turn.current) setFailure(failureText(error))
      }
    })
  }
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    turn.current += 1
    const mine = turn.current
    setSeen(undefined)
    setAsked(undefined)
    setFailure(undefined)
    const found = await readCsvText(chosen, importMaxChars)
    if (mine !== turn.current) return
    if (typeof found === 'string') return setFailure(t(`import.refusedFile.${found}`))
    ask({ file: chosen.name.slice(-120), text: found.text, existing: 'keep', tagId: '' })
  }
  const hasPhone = seen?.columns.some(({ target }) => target === 'phone')
  const targetTo = (place: number, target: string) => {
    if (!asked || !seen) return
    // Assigning a target moves it from its other column. Numbers, names and tags may have several.
    const isOnce = !['ignore', 'phone', 'name', 'tags'].includes(target)
    const columns = seen.columns.map((column, i) =>
      i === place ? target : isOnce && column.target === target ? 'ignore' : column.target,
    )
    ask({ ...asked, columns, hasHeader: seen.hasHeader })
  }
  const submit = () => {
    if (!asked || !seen) return setFailure(why => why ?? t('import.fileMissing'))
    if (!hasPhone) return setFailure(t('import.phoneMissing'))
    begin(async () => {
      setFailure(undefined)
      try {
        const columns = seen.columns.map(({ target }) => target)
        const begun = await api.contactImports.begin({
          body: { ...inputOf(asked), hasHeader: seen.hasHeader, columns, file: asked.file },
        })
        await client.invalidateQueries({ queryKey: importsQuery(slug).queryKey })
        onBegun(begun)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  }
  const count = seen ? seen.created + seen.updated : 0
  return (
    <DialogForm
      confirm={seen && count ? t('import.begin', { count }) : t('import.open')}
      isWaiting={!seen || !hasPhone}
      isWorking={isBeginning || isLooking}
      onSubmit={submit}
      onCancel={onClose}
    >
      <div className="field">
        <label htmlFor={id}>{t('import.file')}</label>
        <FileButton
          id={id}
          chosen={asked?.file}
          accept={peopleFiles}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
        <div id={`${id}-hint`} className="field-hint">
          {t('import.hint')}
        </div>
      </div>
      {isLooking && !seen ? <p role="status">{t('import.reading')}</p> : null}
      {asked && seen ? (
        <>
          <ColumnTargets
            seen={seen}
            isCards={isVcard(asked.text)}
            targets={[...importTargets, ...fields.map(field => fieldTarget(field.id))]}
            nameOf={nameOf}
            onTarget={targetTo}
            onHeader={hasHeader => {
              const { columns: _, ...rest } = asked
              ask({ ...rest, hasHeader })
            }}
          />
          <ImportOptions
            existing={asked.existing}
            tagId={asked.tagId}
            tags={tags}
            onChange={option => ask({ ...asked, ...option })}
          />
          <Preview seen={seen} nameOf={nameOf} />
          <p className="field-hint">{t('import.effects')}</p>
        </>
      ) : null}
      {failure ? <Fault>{failure}</Fault> : null}
    </DialogForm>
  )
}

function Steps({ onClose }: { onClose(): void }) {
  const { slug } = useOrg()
  const running = useAnswer(importsQuery(slug)).items.find(({ state }) => state === 'running')
  const [begun, setBegun] = useState(running)
  return begun ? (
    <ImportProgress begun={begun} onAgain={() => setBegun(undefined)} onClose={onClose} />
  ) : (
    <Form onBegun={setBegun} onClose={onClose} />
  )
}

/** Chooses a file, previews, imports and shows progress. A running import is shown at once. */
export default function ImportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('contacts')
  return (
    <Modal title={t('import.title')} width={760} onClose={onClose}>
      <Suspense fallback={<p role="status">{t('loading')}</p>}>
        <Steps onClose={onClose} />
      </Suspense>
    </Modal>
  )
}
