import './page.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { bytesText } from '#shared/media/sent-files.ts'
import type { ReadyAnswer } from '#shared/ready-answers/api.ts'
import { answersQuery } from './queries.ts'

const AnswerDialog = lazyDialog(() => import('./answer-dialog.tsx'))
const RemoveAnswerDialog = lazyDialog(() => import('./remove-dialog.tsx'))

export const loader = (args: LoaderFunctionArgs) => start(args, answersQuery(args.params.org ?? ''))

type Open = { readonly dialog: 'create' } | { readonly dialog: 'edit' | 'remove'; readonly answer: ReadyAnswer }

interface RowProps {
  readonly answer: ReadyAnswer
  readonly manages: boolean
  onOpen(open: Open): void
}

const AnswerRow = ({ answer, manages, onOpen }: RowProps) => {
  const { t } = useTranslation('ready-answers')
  return (
    <li className="answer-row">
      <div className="answer-head line wrap">
        <strong className="cut" dir="auto">
          {answer.title}
        </strong>
        <code>/{answer.shortcut}</code>
        {answer.shared ? null : (
          <span className="chip">
            <Icon name="lock" />
            {t('onlyYou')}
          </span>
        )}
      </div>
      <p className="answer-preview small" dir="auto">
        {answer.text}
      </p>
      {answer.file ? (
        <p className="answer-file line">
          <Icon name="file" />
          <span className="cut" dir="auto">
            {answer.file.name}
          </span>
          <small>{bytesText(answer.file.size)}</small>
        </p>
      ) : null}
      {answer.own || manages ? (
        <RowMenu
          label={t('actionsOf', { title: answer.title })}
          items={() => (
            <>
              <MenuItem onClick={() => onOpen({ dialog: 'edit', answer })}>{t('edit')}</MenuItem>
              <MenuItem danger onClick={() => onOpen({ dialog: 'remove', answer })}>
                {t('remove')}
              </MenuItem>
            </>
          )}
        />
      ) : null}
    </li>
  )
}

const AnswerList = ({ onOpen }: Pick<RowProps, 'onOpen'>) => {
  const { t } = useTranslation('ready-answers')
  const { slug, role } = useOrg()
  const { items } = useAnswer(answersQuery(slug))
  if (!items.length) return <Empty icon="chat" says={t('none')} />
  return (
    <ul className="answer-rows">
      {items.map(answer => (
        <AnswerRow
          key={answer.id}
          answer={answer}
          manages={roleCan(effectiveRole(role), 'member:manage')}
          onOpen={onOpen}
        />
      ))}
    </ul>
  )
}

/** `/org/{slug}/settings/answers`: ready answers. */
export default function ReadyAnswersPage() {
  const { t } = useTranslation('ready-answers')
  const { slug } = useOrg()
  const client = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const refresh = () => void client.invalidateQueries({ queryKey: answersQuery(slug).queryKey })
  useEvents({ readyAnswers: refresh }, refresh)
  return (
    <section className="card">
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="card-head answers-head">
        <h2>{t('title')}</h2>
        <button type="button" className="button" onClick={() => setOpen({ dialog: 'create' })}>
          <Icon name="plus" />
          {t('create')}
        </button>
      </div>
      <p>{t('says')}</p>
      <Suspense
        fallback={<span className="skeleton skeleton-rows content-skeleton" role="status" aria-label={t('loading')} />}
      >
        <AnswerList onOpen={setOpen} />
      </Suspense>
      {open?.dialog === 'create' ? <AnswerDialog onClose={close} /> : null}
      {open?.dialog === 'edit' ? <AnswerDialog answer={open.answer} onClose={close} /> : null}
      {open?.dialog === 'remove' ? <RemoveAnswerDialog answer={open.answer} onClose={close} /> : null}
    </section>
  )
}
