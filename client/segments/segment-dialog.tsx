import { wabaQuery } from '#client/shell/org-queries.ts'
import './segments.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { DateField } from '#client/ui/controls/date-input.tsx'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { maxSegmentDays, segmentLabelMaxChars } from '#shared/contacts/segments.ts'
import { contactFieldsQuery, segmentsQuery } from './queries.ts'
import { anybody, readDays, segmentFilterOf, type TypedSegment } from './segment-form.ts'

interface SegmentDialogProps {
  /** Conditions to begin with. */
  readonly first?: Partial<TypedSegment>
  /** Called with the stored segment's id. */
  onSaved(id: string): void
  onClose(): void
}

/** Counting waits for a pause in typing. */
const countAfterMs = 300

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  onChange(value: string): void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one} dir="auto">
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Says how many contacts match now. */
function Count({ typed }: { typed: TypedSegment }) {
  const { t } = useTranslation('segments')
  const api = useApi()
  const [found, setFound] = useState<{ count: number; isMore: boolean }>()
  const filter = JSON.stringify(segmentFilterOf(typed) ?? null)
  useEffect(() => {
    setFound(undefined)
    const asked = JSON.parse(filter)
    if (!asked) return
    let isWanted = true
    const timer = setTimeout(async () => {
      // The segment can be saved without the count.
      const answer = await api.bulkSends.countSegment({ body: { filter: asked } }).catch(() => undefined)
      if (isWanted) setFound(answer)
    }, countAfterMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [api, filter])
  return (
    <p role="status" className="field-hint">
      {found ? t(found.isMore ? 'findsMore' : 'finds', { count: found.count }) : ' '}
    </p>
  )
}

function Form({ first, onSaved, onClose }: SegmentDialogProps) {
  const { t } = useTranslation('segments')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { items: tags } = useAnswer(tagsQuery(slug))
  const { items: fields } = useAnswer(contactFieldsQuery(slug))
  const { numbers = [] } = useAnswer(wabaQuery(slug))
  const [label, setLabel] = useState('')
  const [typed, setTyped] = useState<TypedSegment>({ ...anybody, ...first })
  const [areShown, setAreShown] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [isSaving, save] = useWork()
  const change = (next: Partial<TypedSegment>) => {
    setTyped({ ...typed, ...next })
    setFailure(undefined)
  }
  const filter = segmentFilterOf(typed)
  const field = fields.find(one => one.id === typed.fieldId)
  const submit = () => {
    setAreShown(true)
    if (!label.trim() || !filter) return
    save(async () => {
      setFailure(undefined)
      try {
        const body = { label: label.trim(), filter }
        const { id } = await api.bulkSends.createSegment({ body })
        await client.invalidateQueries({ queryKey: segmentsQuery(slug).queryKey })
        onSaved(id)
        onClose()
      } catch (error) {
        setFailure(error)
      }
    })
  }
  const any = ['', t('any')] as const
  return (
    <DialogForm confirm={t('save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
      <Field
        label={t('name')}
        autoComplete="off"
        maxLength={segmentLabelMaxChars}
        value={label}
        {...(areShown && !label.trim() ? { fault: t('nameMissing') } : {})}
        onChange={({ target }) => setLabel(target.value)}
      />
      {tags.length ? (
        <fieldset className="segment-tags">
          <legend>{t('tags')}</legend>
          <div className="segment-tag-list wrap">
            {tags.map(tag => (
              <label key={tag.id} className="segment-tag line">
                <input
                  type="checkbox"
                  checked={typed.tagIds.includes(tag.id)}
                  onChange={({ target }) =>
                    change({
                      tagIds: target.checked ? [...typed.tagIds, tag.id] : typed.tagIds.filter(one => one !== tag.id),
                    })
                  }
                />
                <span dir="auto">{tag.label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ) : null}
      {typed.tagIds.length > 1 ? (
        <Choice
          label={t('match')}
          value={typed.match}
          options={[
            ['any', t('matchAny')],
            ['all', t('matchAll')],
          ]}
          onChange={match => change({ match: match as TypedSegment['match'] })}
        />
      ) : null}
      <Choice
        label={t('marketing')}
        value={typed.marketing}
        options={[any, ['accepts', t('accepts')], ['refuses', t('refuses')]]}
        onChange={marketing => change({ marketing: marketing as TypedSegment['marketing'] })}
      />
      <Choice
        label={t('wrote')}
        value={typed.wrote}
        options={[any, ['within', t('within')], ['before', t('before')]]}
        onChange={wrote => change({ wrote: wrote as TypedSegment['wrote'] })}
      />
      {typed.wrote ? (
        <Field
          label={t('days')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={typed.days}
          {...(readDays(typed.days) ? {} : { fault: t('daysFault', { max: maxSegmentDays }) })}
          onChange={({ target }) => change({ days: target.value })}
        />
      ) : null}
      {fields.length ? (
        <Choice
          label={t('field')}
          value={typed.fieldId}
          options={[any, ...fields.map(one => [one.id, one.label] as const)]}
          onChange={fieldId => change({ fieldId, value: '' })}
        />
      ) : null}
      {field?.kind === 'choice' ? (
        <Choice
          label={t('value')}
          value={typed.value}
          options={[['', ''], ...field.options.map(one => [one, one] as const)]}
          onChange={value => change({ value })}
        />
      ) : field?.kind === 'date' ? (
        <DateField label={t('value')} value={typed.value} onChange={value => change({ value })} />
      ) : field ? (
        <Field
          label={t('value')}
          autoComplete="off"
          maxLength={500}
          value={typed.value}
          // Normalized as contacts store it.
          onChange={({ target }) =>
            change({ value: field.kind === 'number' ? target.value.replace(',', '.') : target.value })
          }
        />
      ) : null}
      {numbers.length ? (
        <Choice
          label={t('number')}
          value={typed.number}
          options={[any, ...numbers.map(one => [one.id, one.label ?? (one.displayPhone || one.phone)] as const)]}
          onChange={number => change({ number })}
        />
      ) : null}
      <Count typed={typed} />
      {areShown && !filter ? <Fault>{t('nothing')}</Fault> : null}
      {failure ? <Fault>{failureText(failure)}</Fault> : null}
    </DialogForm>
  )
}

/** Creates a named segment of contacts. */
export default function SegmentDialog(props: SegmentDialogProps) {
  const { t } = useTranslation('segments')
  return (
    <Modal title={t('new')} onClose={props.onClose}>
      <Suspense fallback={<div className="skeleton skeleton-rows segment-skeleton" aria-hidden="true" />}>
        <Form {...props} />
      </Suspense>
    </Modal>
  )
}
