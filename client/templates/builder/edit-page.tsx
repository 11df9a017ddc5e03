import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useParams } from 'react-router'
import { settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { isEditable, verdictOf } from '#shared/templates/words.ts'
import { templateQuery } from '../queries.ts'
import { StatusNotice } from '../status-notice.tsx'
import { Builder } from './builder.tsx'
import { templateForm } from './form-of-template.ts'

export const loader = async (args: LoaderFunctionArgs) => {
  const { org = '', idTemplate = '' } = args.params
  await settle(args, templateQuery(org, idTemplate))
  return null
}

function Edit() {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const { idTemplate = '' } = useParams()
  const template = useAnswer(templateQuery(slug, idTemplate))
  const initial = useMemo(() => templateForm(template), [template])
  const { id, name, status } = template
  const verdict = verdictOf(status)
  const title = <title>{`${t('editTitle', { name })} · ${PRODUCT_NAME}`}</title>
  if (!isEditable(status))
    return (
      <div className="sheet">
        {title}
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <StatusNotice template={template} />
        <Empty
          icon="lock"
          says={t('notEditable')}
          action={
            <Link className="button" to={paths.template(slug, id)}>
              {t('form.leave')}
            </Link>
          }
        />
      </div>
    )
  return (
    <>
      {title}
      <Builder key={id} initial={initial} known={template} keptAs={id}>
        {verdict === 'approved' || verdict === 'paused' ? (
          <div className="notice notice-warn">
            <Icon name="warn" />
            <p>{t('form.reviewAgain')}</p>
          </div>
        ) : null}
        {verdict === 'rejected' ? <StatusNotice template={template} /> : null}
      </Builder>
    </>
  )
}

/** `/org/{slug}/template/edit/{idTemplate}`: edits a template as far as Meta allows. */
export default function TemplateEditPage() {
  return (
    <main className="template-page">
      <Suspense fallback={<div className="skeleton skeleton-rows content-skeleton" />}>
        <Edit />
      </Suspense>
    </main>
  )
}
