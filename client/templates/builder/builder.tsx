import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { Template } from '#shared/templates/api.ts'
import { isApproved, isCodeCategory } from '#shared/templates/words.ts'
import { Mark } from '../mark.tsx'
import { Preview } from '../preview.tsx'
import { refreshTemplates } from '../queries.ts'
import { StatusChip } from '../words.tsx'
import { CodeFields } from './code-fields.tsx'
import { ContentFields } from './content-fields.tsx'
import { CountedField } from './counted-field.tsx'
import { FaultsContext, type FieldFault, serverFaults, useFaultsOf } from './faults.tsx'
import { filesOf, newKey, type TemplateForm } from './form.ts'
import { Section } from './form-section.tsx'
import { templateDraft } from './form-to-draft.ts'
import { IdentityFields } from './identity-fields.tsx'
import { forgetLocalDraft, keepLocalDraft, readLocalDraft } from './local-draft.ts'
import '../words.css'
import '../template.css'
import './builder.css'

interface BuilderProps {
  /** Initial values. */
  readonly initial: TemplateForm
  /** The template to edit. Absent: a new one. */
  readonly known?: Template
  /** Key in the browser's storage. */
  readonly keptAs: string
  /** Another language of a template keeps its name. */
  readonly isNameFixed?: boolean
  readonly taken?: readonly string[]
  /** Above the fields: starting points, warnings. */
  readonly children?: ReactNode
}

/** The form's contents, stored in this browser until submitted or discarded. */
const useKeptForm = (slug: string, keptAs: string, initial: TemplateForm) => {
  const [form, setForm] = useState(initial)
  const [isRestored, setRestored] = useState(false)
  /** The fields that the person has changed. They may have begun before the stored form was loaded. */
  const own = useRef<Partial<TemplateForm>>(undefined)
  // Loaded after hydration, because the server does not have it.
  useEffect(() => {
    const kept = readLocalDraft(slug, keptAs)
    if (!kept) return
    setForm({ ...kept, ...own.current })
    setRestored(true)
  }, [slug, keptAs])
  useEffect(() => {
    if (own.current) keepLocalDraft(slug, keptAs, form)
  }, [slug, keptAs, form])
  return {
    form,
    isRestored,
    change(part: Partial<TemplateForm>) {
      own.current = { ...own.current, ...part }
      setForm(before => ({ ...before, ...part }))
    },
    forget() {
      own.current = undefined
      forgetLocalDraft(slug, keptAs)
    },
    discard() {
      own.current = undefined
      forgetLocalDraft(slug, keptAs)
      setForm(initial)
      setRestored(false)
    },
  }
}

/** Focuses the first invalid field. */
const focusFirstFault = (root: HTMLElement | null, faults: readonly FieldFault[]) => {
  const fields = new Set(faults.map(({ field }) => field))
  const found = [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find(({ dataset }) =>
    fields.has(dataset.field ?? ''),
  )
  found?.focus()
  found?.scrollIntoView({ block: 'center' })
}

/** The template editor with a preview. */
export function Builder({ initial, known, keptAs, isNameFixed = false, taken = [], children }: BuilderProps) {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const failureText = useFailureText()
  const { form, isRestored, change: write, forget, discard } = useKeptForm(slug, keptAs, initial)
  const [refused, setRefused] = useState<readonly FieldFault[]>([])
  const [isAsked, setAsked] = useState(false)
  const [pane, setPane] = useState<'text' | 'phone'>('text')
  const [isSending, run] = useTransition()
  const root = useRef<HTMLDivElement>(null)
  const draft = useMemo(() => templateDraft(form), [form])
  const found = useFaultsOf(draft)
  const shown = [...found.filter(fault => isAsked || !fault.isMissing), ...refused]
  const faults = new Map(shown.map(({ field, text }) => [field, text]))
  const isDraft = !known || known.status === 'DRAFT'
  const change = (part: Partial<TemplateForm>) => {
    setRefused([])
    write(part)
  }
  const save = async (asDraft: boolean) => {
    const body = { template: draft, ...(asDraft ? { draft: true } : {}) }
    return known
      ? api.templates.update({ params: { id: known.id }, body })
      : api.templates.create({ body }, { idempotencyKey: newKey() })
  }
  const send = (asDraft: boolean) => {
    if (!asDraft) {
      setAsked(true)
      if (found.length) {
        setPane('text')
        // After rendering, because fields that were only missing had no fault before.
        requestAnimationFrame(() => focusFirstFault(root.current, found))
        return
      }
    }
    run(async () => {
      try {
        const saved = await save(asDraft)
        forget()
        void refreshTemplates(client, slug)
        toast(t(asDraft ? 'form.draftSaved' : 'form.sent', { name: saved.name }), { kind: 'success' })
        await navigate(asDraft ? paths.templateEdit(slug, saved.id) : paths.template(slug, saved.id), {
          replace: asDraft || known?.status === 'DRAFT',
        })
      } catch (error) {
        const here = serverFaults(draft, error)
        setRefused(here)
        if (here.length) requestAnimationFrame(() => focusFirstFault(root.current, here))
        toast(failureText(error), { kind: 'error' })
      }
    })
  }
  const count = shown.length
  const sendNow = useEffectEvent(() => isSending || send(false))
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      if (!(event.target instanceof Node && root.current?.contains(event.target))) return
      event.preventDefault()
      sendNow()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <FaultsContext value={faults}>
      <div className="template-bar line wrap">
        <h1 className="cut">
          <bdi>{form.name || t('createTitle')}</bdi>
        </h1>
        {known ? <StatusChip status={known.status} /> : <StatusChip status="DRAFT" />}
        <div className="template-actions line wrap">
          {count ? (
            <button
              type="button"
              className="link form-todo"
              onClick={() => {
                setPane('text')
                requestAnimationFrame(() => focusFirstFault(root.current, shown))
              }}
            >
              <Icon name="warn" />
              {t('form.faults', { count })}
            </button>
          ) : null}
          {isDraft ? (
            <button type="button" className="button" aria-disabled={isSending} onClick={() => isSending || send(true)}>
              {t('form.saveDraft')}
            </button>
          ) : (
            <Link className="button" to={paths.template(slug, known.id)} onClick={forget}>
              {t('form.leave')}
            </Link>
          )}
          <button
            type="button"
            className="button button-primary"
            aria-disabled={isSending}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            title="Ctrl+Enter"
            onClick={() => isSending || send(false)}
          >
            <Icon name="send" />
            {t(isSending ? 'form.sending' : 'form.send')}
          </button>
        </div>
      </div>
      <div className="template-one form-build" data-pane={pane} ref={root}>
        <div className="form-main">
          {isRestored ? (
            <div className="notice template-notice form-restored" role="status">
              <Icon name="info" />
              <p>{t('form.restored')}</p>
              <button type="button" className="link" onClick={discard}>
                {t('form.discard')}
              </button>
            </div>
          ) : null}
          {children}
          <IdentityFields
            form={form}
            isNameFixed={isNameFixed || !isDraft}
            isLanguageFixed={!isDraft}
            isCategoryFixed={known !== undefined && isApproved(known.status)}
            taken={taken}
            change={change}
          />
          {isCodeCategory(form.category) ? (
            <CodeFields code={form.code} change={code => change({ code })} />
          ) : (
            <ContentFields form={form} isFormatFixed={!isDraft} change={change} />
          )}
          <Section title={t('ttl')} hint={t('form.ttlHint')}>
            <CountedField
              label={t('form.ttl')}
              field="ttlSeconds"
              value={form.ttl}
              inputMode="numeric"
              onChange={ttl => change({ ttl: ttl.replace(/[^\d-]/g, '') })}
            />
          </Section>
        </div>
        <aside className="template-pane">
          <Preview
            components={draft.components}
            language={form.language}
            files={filesOf(form)}
            isCode={isCodeCategory(form.category)}
          />
        </aside>
      </div>
      <div className="form-dock">
        <button type="button" className="button" onClick={() => setPane(pane === 'text' ? 'phone' : 'text')}>
          <Mark name={pane === 'text' ? 'eye' : 'pencil'} />
          {t(pane === 'text' ? 'preview.title' : 'form.backToText')}
        </button>
      </div>
    </FaultsContext>
  )
}
