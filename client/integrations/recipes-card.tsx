import { useTranslation } from 'react-i18next'
import { paths } from '#shared/kernel/paths.ts'
import { IntegrationCard } from './card/integration-card.tsx'

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
    <IntegrationCard
      id="recipes"
      icon="flow"
      title="n8n, Make, Zapier"
      says={t('recipes.text')}
      foot={
        <>
          <a className="button" href={paths.manual('recipes', 'n8n-make-and-zapier')}>
            {t('recipes.open')}
          </a>
          <a className="link" href={paths.manual('api', 'receive-and-answer')}>
            {t('recipes.scripts')}
          </a>
        </>
      }
    >
      <ul className="integration-rows">
        {recipes.map(({ recipe, heading }) => (
          <li key={recipe}>
            <a className="integration-name" href={paths.manual('recipes', heading)}>
              {t(`recipes.${recipe}`)}
            </a>
            <small>{t(`recipes.${recipe}How`)}</small>
          </li>
        ))}
      </ul>
    </IntegrationCard>
  )
}
