import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import './cards.css'

/** Each with its heading in the manual. */
const recipes = [
  { recipe: 'received', heading: 'n8n-answer-a-customer-who-writes' },
  { recipe: 'row', heading: 'make-a-row-for-each-message' },
  { recipe: 'send', heading: 'zapier-a-template-when-an-order-changes' },
] as const

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
        {recipes.map(({ recipe, heading }) => (
          <li key={recipe}>
            <a href={paths.manual('recipes', heading)}>{t(`recipes.${recipe}`)}</a>
            <small>{t(`recipes.${recipe}How`)}</small>
          </li>
        ))}
      </ul>
      <div className="card-buttons">
        <a className="button" href={paths.manual('recipes', 'n8n-make-and-zapier')}>
          {t('recipes.open')}
        </a>
        <a className="button" href={paths.manual('api', 'receive-and-answer')}>
          {t('recipes.scripts')}
        </a>
      </div>
    </section>
  )
}
