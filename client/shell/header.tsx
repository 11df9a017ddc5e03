import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { HeaderTools } from './header-tools.tsx'
import { sidebarId, toggleSidebar } from './sidebar/sidebar-state.ts'

export function Header() {
  const { t } = useTranslation('shell')
  return (
    <header className="topbar line">
      <button type="button" className="icon-button head-sheet" popoverTarget={sidebarId} aria-label={t('side.toggle')}>
        <Icon name="menu" />
      </button>
      <button
        type="button"
        className="icon-button head-rail"
        aria-label={t('side.toggle')}
        aria-keyshortcuts="Control+B Meta+B"
        data-tip={t('side.toggle')}
        onClick={toggleSidebar}
      >
        <Icon name="panel" />
      </button>
      <Breadcrumb />
      <div className="head-actions line">
        <HeaderTools />
      </div>
    </header>
  )
}
