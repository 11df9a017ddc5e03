import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useNavigate, useParams } from 'react-router'
import { settle, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useLive } from '#client/shell/live-provider.tsx'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { TemplateWithLanguages } from '#shared/templates/api.ts'
import { sendingObstacle } from '#shared/templates/sending.ts'
import { isApproved, isCodeCategory, isDeletable, isEditable } from '#shared/templates/words.ts'
import { copyPath, languagePath } from './addresses.ts'
import { Mark } from './mark.tsx'
import { Preview } from './preview.tsx'
import { editsTemplates, templateQuery } from './queries.ts'
import { ReviewControls } from './review-controls.tsx'
import { StatusNotice } from './status-notice.tsx'
import { Category } from './template-row.tsx'
import { useTemplateEvents } from './use-template-events.ts'
import { isKnownStatus, LanguageName, Quality, StatusChip, When } from './words.tsx'
import './words.css'
import './template.css'

const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'))

export const loader = async (args: LoaderFunctionArgs) => {
  const { org = '', idTemplate = '' } = args.params
  await settle(args, templateQuery(org, idTemplate))
  return start(args, orgClockQuery(org), wabaQuery(org))
}

function Actions({ template, remove }: { template: TemplateWithLanguages; remove(): void }) {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const { id, status } = template
  const isKnown = isKnownStatus(status)
  const mayEdit = editsTemplates(role)
  const canSend =
    roleCan(effectiveRole(role), 'bulk:send') && isApproved(status) && !sendingObstacle(template.components)
  return (
    <div className="template-actions line wrap">
      {mayEdit ? (
        <Link className="button" to={copyPath(slug, id)}>
          <Icon name="copy" />
          {t('duplicate')}
        </Link>
      ) : null}
      {mayEdit && isKnown && isEditable(status) ? (
        <Link className={canSend ? 'button' : 'button button-primary'} to={paths.templateEdit(slug, id)}>
          <Mark name="pencil" />
          {t('edit')}
        </Link>
      ) : null}
      {canSend ? (
        <Link className="button button-primary" to={paths.bulkWith(slug, id)}>
          <Icon name="send" />
          {t('sendToMany')}
        </Link>
      ) : null}
      {mayEdit && isKnown && isDeletable(status) ? (
        <RowMenu
          label={t('actionsOf', { name: template.name })}
          items={() => (
            <MenuItem danger onClick={remove}>
              {t('remove.open')}
            </MenuItem>
          )}
        />
      ) : null}
    </div>
  )
}

function Facts({ template }: { template: TemplateWithLanguages }) {
  const { t } = useTranslation('templates')
  return (
    <section className="card" aria-labelledby="template-facts">
      <h2 id="template-facts">{t(template.status === 'DRAFT' ? 'factsOfDraft' : 'facts')}</h2>
      <dl className="facts-list">
        <dt>{t('column.status')}</dt>
        <dd>
          <StatusChip status={template.status} />
        </dd>
        <dt>{t('category.byMeta')}</dt>
        <dd>
          <Category template={template} />
        </dd>
        <dt>{t('language')}</dt>
        <dd>
          <LanguageName code={template.language} /> <code>{template.language}</code>
        </dd>
        <dt>{t('quality.label')}</dt>
        <dd>
          <Quality quality={template.quality} />
        </dd>
        {template.ttlSeconds === null ? null : (
          <>
            <dt>{t('ttl')}</dt>
            <dd>{t('seconds', { count: template.ttlSeconds })}</dd>
          </>
        )}
        {template.status === 'DRAFT' ? null : (
          <>
            <dt>{t('metaId')}</dt>
            <dd>
              <code>{template.id}</code>
              <CopyButton value={template.id} label={t('copyId')} done={t('copied')} failed={t('copyFailed')} />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** Meta's time of a pause, and ours of the change that it made, are the time of one event. */
const sameChangeMs = 60_000

/** Lists the dates in a template's life, the latest first. */
const usePast = (template: TemplateWithLanguages) => {
  const { now } = useMoment()
  const { pausedSince, pausedUntil, updatedAt } = template
  // A pause is a change of its own name.
  const isPause = pausedSince !== null && Math.abs(Date.parse(updatedAt) - Date.parse(pausedSince)) < sameChangeMs
  const events = [
    { name: 'used', at: template.lastUsedAt, icon: <Icon name="send" /> },
    { name: 'synced', at: template.syncedAt, icon: <Icon name="retry" /> },
    {
      name: pausedUntil !== null && Date.parse(pausedUntil) > now ? 'pauseEnds' : 'pauseEnded',
      at: pausedUntil,
      icon: <Icon name="clock" />,
    },
    { name: 'paused', at: pausedSince, icon: <Mark name="pause" /> },
    { name: 'changed', at: isPause ? null : updatedAt, icon: <Mark name="swap" /> },
    {
      name: template.categoryAsked === null ? 'imported' : 'created',
      at: template.createdAt,
      icon: <Icon name="plus" />,
    },
  ] as const
  return events
    .flatMap(({ at, ...event }) => (at === null ? [] : [{ ...event, at }]))
    .sort((a, b) => b.at.localeCompare(a.at))
}

function Past({ template }: { template: TemplateWithLanguages }) {
  const { t, i18n } = useTranslation('templates')
  const past = usePast(template)
  const shown = new Intl.NumberFormat(i18n.language === 'es' ? 'es-AR' : 'en-GB').format(template.uses)
  return (
    <section className="card" aria-labelledby="template-past">
      <h2 id="template-past">{t('history')}</h2>
      <p>{template.uses ? t('uses', { count: template.uses, shown }) : t('neverUsed')}</p>
      <ol className="template-history">
        {past.map(({ name, at, icon }) => (
          <li key={name}>
            {icon}
            <b>{t(`past.${name}`)}</b>
            <When at={at} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Languages({ template, mayEdit }: { template: TemplateWithLanguages; mayEdit: boolean }) {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  return (
    <nav className="template-languages wrap" aria-label={t('languages')}>
      {template.languages.map(one => (
        <Link
          key={one.id}
          to={paths.template(slug, one.id)}
          aria-current={one.id === template.id ? 'page' : undefined}
          preventScrollReset
        >
          <LanguageName code={one.language} />
          {one.id === template.id ? null : <StatusChip status={one.status} />}
        </Link>
      ))}
      {mayEdit ? (
        <Link to={languagePath(slug, template.id)}>
          <Icon name="plus" />
          {t('addLanguage')}
        </Link>
      ) : null}
    </nav>
  )
}

/** Handles deletion by somebody else or Meta while the page is open. */
const useGoneElsewhere = ({ id, name }: { id: string; name: string }, isOwn: boolean) => {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const live = useLive()
  const navigate = useNavigate()
  useEffect(
    () =>
      isOwn
        ? undefined
        : live?.on('template', event => {
            if (event.id !== id || !event.removed) return
            toast(t('remove.done', { count: 1, name }), { kind: 'info' })
            void navigate(paths.templates(slug), { replace: true })
          }),
    [live, id, name, isOwn, navigate, slug, t],
  )
}

function One() {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const { idTemplate = '' } = useParams()
  const navigate = useNavigate()
  const template = useAnswer(templateQuery(slug, idTemplate))
  const waba = useAnswer(wabaQuery(slug))
  const [isRemoving, setRemoving] = useState(false)
  useTemplateEvents(slug)
  useGoneElsewhere(template, isRemoving)
  const mayEdit = editsTemplates(role)
  const playsMeta =
    waba.kind === 'sandbox' && template.status !== 'DRAFT' && roleCan(effectiveRole(role), 'sandbox:use')
  /** Goes to another language of the name, or back to the list. */
  const leave = async (removed: readonly string[]) => {
    const rest = template.languages.find(one => !removed.includes(one.id))
    await navigate(rest ? paths.template(slug, rest.id) : paths.templates(slug), { replace: true })
  }
  return (
    <>
      <title>{`${template.name} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="template-bar line wrap">
        <h1 className="cut">
          <bdi>{template.name}</bdi>
        </h1>
        <StatusChip status={template.status} />
        <Actions template={template} remove={() => setRemoving(true)} />
      </div>
      <div className="template-one template-read">
        <div className="template-main template-said">
          <Languages template={template} mayEdit={mayEdit} />
          <StatusNotice template={template} />
        </div>
        <div className="template-main">
          <Facts template={template} />
          <Past template={template} />
          {playsMeta ? <ReviewControls key={template.id} template={template} /> : null}
        </div>
        <aside className="template-pane">
          <Preview
            components={template.components}
            language={template.language}
            files={template.media}
            isCode={isCodeCategory(template.category)}
          />
        </aside>
      </div>
      {isRemoving ? <DeleteDialog template={template} onClose={() => setRemoving(false)} onRemoved={leave} /> : null}
    </>
  )
}

/** `/org/{slug}/template/{idTemplate}`: one template and the languages of its name. */
export default function TemplatePage() {
  return (
    <main className="template-page">
      <Suspense fallback={<div className="skeleton skeleton-rows content-skeleton" />}>
        <OrgClock>
          <One />
        </OrgClock>
      </Suspense>
    </main>
  )
}
