import './product-scene.css'
import { useTranslation } from 'react-i18next'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'

const customers = [
  { who: 'lucia', icon: 'person', isOpen: true },
  { who: 'bruno', icon: 'bot', isOpen: false },
  { who: 'elena', icon: 'hand', isOpen: false },
] as const

const List = () => {
  const { t } = useTranslation('auth')
  return (
    <div className="scene-list">
      {customers.map(({ who, icon, isOpen }) => (
        <div key={who} className={isOpen ? 'scene-row scene-row-open' : 'scene-row'}>
          <Avatar name={t(`scene.${who}.name`)} of={who} small />
          <span>
            <b>{t(`scene.${who}.name`)}</b>
            <span className="cut">{t(`scene.${who}.says`)}</span>
            <small className={icon === 'hand' ? 'scene-waits' : undefined}>
              <Icon name={icon} />
              {t(`scene.${who}.has`)}
            </small>
          </span>
        </div>
      ))}
    </div>
  )
}

const Chat = () => {
  const { t } = useTranslation('auth')
  return (
    <div className="scene-chat column">
      <p className="scene-in">{t('scene.asks')}</p>
      <p className="scene-happened">
        <Icon name="bot" />
        {t('scene.handsOver')}
      </p>
      <p className="scene-note">{t('scene.note')}</p>
      <p className="scene-out">
        {t('scene.answers')}
        <small>
          10:42 <Icon name="ticks" />
        </small>
      </p>
      <p className="scene-window">
        <Icon name="clock" />
        {t('scene.window')}
      </p>
    </div>
  )
}

const facts: readonly (readonly [name: 'team' | 'bot' | 'search', icon: IconName])[] = [
  ['team', 'person'],
  ['bot', 'flow'],
  ['search', 'search'],
]

/** Illustrates the product for visitors who are not signed in: a team's chat and its benefits. */
export const ProductScene = () => {
  const { t } = useTranslation('auth')
  return (
    <aside className="scene column" aria-label={t('scene.label')}>
      <div className="scene-picture" aria-hidden="true">
        <List />
        <Chat />
      </div>
      <ul className="scene-facts stack-m">
        {facts.map(([name, icon]) => (
          <li key={name}>
            <Icon name={icon} />
            {t(`scene.facts.${name}`)}
          </li>
        ))}
      </ul>
    </aside>
  )
}
