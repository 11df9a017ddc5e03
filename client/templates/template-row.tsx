import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { Template } from '#shared/templates/api.ts'
import { findComponent } from '#shared/templates/components.ts'
import { isCodeCategory, isDeletable, isEditable, ratingOf } from '#shared/templates/words.ts'
import { copyPath } from './addresses.ts'
import { BodySnippet } from './body-snippet.tsx'
import { Mark } from './mark.tsx'
import { useReasonText } from './reasons.tsx'
import { isKnownStatus, None, Quality, StatusChip, useLanguageName, When } from './words.tsx'

const kinds: Readonly<Record<string, IconName>> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'file', LOCATION: 'pin' }

function Thumb({ template }: { template: Template }) {
  const format = findComponent(template.components, 'HEADER')?.format ?? ''
  const picture = template.media.find(({ card, mime }) => card === null && mime.startsWith('image/'))
  if (picture) return <img className="template-thumb center" src={picture.url} alt="" loading="lazy" />
  return (
    <span className="template-thumb center">
      {isCodeCategory(template.category) ? (
        <Mark name="key" />
      ) : findComponent(template.components, 'CAROUSEL') ? (
        <Mark name="cards" />
      ) : (
        <Icon name={kinds[format] ?? 'chat'} />
      )}
    </span>
  )
}

/** Meta's category, and the requested one if it differs. */
export function Category({ template }: { template: Pick<Template, 'category' | 'categoryAsked'> }) {
  const { t } = useTranslation('templates')
  const { category, categoryAsked } = template
  return (
    <>
      {t(`category.${category}`)}
      {categoryAsked && categoryAsked !== category ? (
        <small className="template-asked line">
          <Mark name="swap" />
          {t('category.asked', { category: t(`category.${categoryAsked}`) })}
        </small>
      ) : null}
    </>
  )
}

interface RowProps {
  readonly template: Template
  /** Absent: the reader may not write templates. */
  readonly remove?: ((template: Template) => void) | undefined
}

export function TemplateRow({ template, remove }: RowProps) {
  const { t, i18n } = useTranslation('templates')
  const { slug } = useOrg()
  const navigate = useNavigate()
  const reasonText = useReasonText()
  const { id, name, language, status, quality, uses, lastUsedAt, updatedAt } = template
  const why = reasonText(template)
  const shown = new Intl.NumberFormat(i18n.language === 'es' ? 'es-AR' : 'en-GB').format(uses)
  const languageName = useLanguageName()
  const address = status === 'DRAFT' && remove ? paths.templateEdit(slug, id) : paths.template(slug, id)
  return (
    <tr>
      <th scope="row">
        <div className="template-what">
          <Thumb template={template} />
          <div>
            <Link className="row-link cut" to={address}>
              {name}
            </Link>
            <span className="template-language fine">
              <abbr title={languageName(language)} suppressHydrationWarning>
                {language}
              </abbr>
            </span>
          </div>
          <p className="cut">
            <BodySnippet template={template} />
          </p>
        </div>
      </th>
      <td className="template-cell-status">
        <StatusChip status={status} />
        {why ? <small className="cut">{why}</small> : null}
      </td>
      <td className="template-cell-category">
        <Category template={template} />
      </td>
      <td className="template-cell-quality">
        {ratingOf(quality) ? <Quality quality={quality} /> : <None says={t('quality.UNKNOWN')} />}
      </td>
      <td className="template-cell-uses">
        {uses ? (
          <>
            <span className="template-uses-figure">{shown}</span>
            <span className="template-uses-word">{t('uses', { count: uses, shown })}</span>
            {lastUsedAt ? (
              <small>
                <When at={lastUsedAt} />
              </small>
            ) : null}
          </>
        ) : (
          <None says={t('neverUsed')} />
        )}
      </td>
      <td className="template-cell-updated">
        <When at={updatedAt} />
      </td>
      {remove ? (
        <td className="template-cell-actions">
          <RowMenu
            label={t('actionsOf', { name })}
            items={() => (
              <>
                {isKnownStatus(status) && isEditable(status) ? (
                  <MenuItem onClick={() => void navigate(paths.templateEdit(slug, id))}>{t('edit')}</MenuItem>
                ) : null}
                <MenuItem onClick={() => void navigate(copyPath(slug, id))}>{t('duplicate')}</MenuItem>
                {isKnownStatus(status) && isDeletable(status) ? (
                  <MenuItem danger onClick={() => remove(template)}>
                    {t('remove.open')}
                  </MenuItem>
                ) : null}
              </>
            )}
          />
        </td>
      ) : null}
    </tr>
  )
}
