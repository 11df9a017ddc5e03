import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { settle, start } from '#client/app/queries/queries.ts'
import { useAnswer, useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { TemplateWithLanguages } from '#shared/templates/api.ts'
import { readBeginning, startPath } from '../addresses.ts'
import { syncQuery, templateQuery } from '../queries.ts'
import { Builder } from './builder.tsx'
import { emptyForm, type TemplateForm } from './form.ts'
import { templateForm } from './form-of-template.ts'
import { startingPoints } from './starting-points.ts'

export const loader = async (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  const { from } = readBeginning(new URL(args.request.url).searchParams)
  if (from) await settle(args, templateQuery(org, from))
  return start(args, wabaQuery(org), syncQuery(org))
}

const nameMax = 512

const copied = (template: TemplateWithLanguages, as: 'copy' | 'language', suffix: string): TemplateForm => {
  const form = templateForm(template)
  return as === 'language'
    ? { ...form, language: '' }
    : { ...form, name: `${template.name.slice(0, nameMax - suffix.length)}${suffix}` }
}

interface StartingPointsProps {
  readonly points: ReturnType<typeof startingPoints>
  readonly chosen: string | undefined
}

function StartingPoints({ points, chosen }: StartingPointsProps) {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  return (
    <details className="form-starts" open={!chosen}>
      <summary>
        <b>{t('starts.title')}</b>
        <span>{t('starts.hint')}</span>
        <Icon name="chevron" />
      </summary>
      <ul>
        {points.map(({ key, form }) => (
          <li key={key}>
            <Link to={startPath(slug, key)} replace aria-current={key === chosen ? 'true' : undefined}>
              <strong>{t(`starts.${key}`)}</strong>
              <span>{form.body || t('codeText')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Create() {
  const { t, i18n } = useTranslation('templates')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const { from, as, start: chosen } = readBeginning(query)
  const source = useOptionalAnswer({ ...templateQuery(slug, from ?? ''), enabled: from !== undefined })
  const waba = useAnswer(wabaQuery(slug))
  const { mainLanguage } = useAnswer(syncQuery(slug))
  const points = useMemo(
    () => startingPoints({ main: mainLanguage, reader: i18n.language }),
    [mainLanguage, i18n.language],
  )
  const initial = useMemo(() => {
    if (source) return copied(source, as, t('copySuffix'))
    const point = points.find(({ key }) => key === chosen)
    return point?.form ?? emptyForm(mainLanguage ?? (i18n.language === 'en' ? 'en' : 'es_AR'))
  }, [source, as, chosen, points, mainLanguage, i18n.language, t])
  const keptAs = from ? `${as}:${from}` : chosen ? `start:${chosen}` : 'new'
  const isLanguage = source !== undefined && as === 'language'
  return (
    <Builder
      key={`${keptAs} ${source?.id ?? ''}`}
      initial={initial}
      keptAs={keptAs}
      isNameFixed={isLanguage}
      taken={isLanguage ? source.languages.map(({ language }) => language) : []}
    >
      {waba.phone === null ? (
        <div className="notice notice-warn">
          <Icon name="plug" />
          <p>
            {t('noNumber')} <Link to={`${paths.companyCreation()}?org=${slug}`}>{t('connect')}</Link>
          </p>
        </div>
      ) : null}
      {from ? null : <StartingPoints points={points} chosen={chosen} />}
    </Builder>
  )
}

/** `/org/{slug}/template/create`: a new template, from nothing, a starting point or another template. */
export default function TemplateCreatePage() {
  const { t } = useTranslation('templates')
  return (
    <main className="template-page">
      <title>{`${t('createTitle')} · ${PRODUCT_NAME}`}</title>
      <Suspense fallback={<div className="skeleton skeleton-rows content-skeleton" />}>
        <Create />
      </Suspense>
    </main>
  )
}
