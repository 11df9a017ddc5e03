import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import './cards.css'

/** Recipes for programs that connect others; each leads to its steps in the manual. */
export function RecipesCard() {
  const { t } = useTranslation('integrations')
  return (
    <section className="card" aria-labelledby="recipes">
      <div className="card-head">
        <Icon name="flow" />
        <h2 id="recipes">n8n, Make, Zapier</h2>
      </div>
      <p>{t('recipes.text')}</p>
      <ul className="key-use">
        {(['received', 'send', 'person'] as const).map(recipe => (
          <li key={recipe}>
            <a href={paths.manual('api', 'n8n-make-and-zapier')}>{t(`recipes.${recipe}`)}</a>
            <small>{t(`recipes.${recipe}How`)}</small>
          </li>
        ))}
      </ul>
      <div className="card-buttons">
        <a className="button" href={paths.manual('api', 'n8n-make-and-zapier')}>
          {t('recipes.open')}
        </a>
      </div>
    </section>
  )
}
