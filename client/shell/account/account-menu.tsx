import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { chooseLanguage } from '#client/app/preferences/i18n.ts'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { hueOfKey } from '#client/ui/pictures/hue.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { initialsOf } from '#client/ui/pictures/initials.ts'
import { languages } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useOrg, useViewer } from '../viewer.ts'
import { useSignOut } from './sign-out.tsx'

const AvailabilityItems = quietPart(() => import('../availability/availability-items.tsx'))
const AvailabilityMark = quietPart(() => import('../availability/availability-mark.tsx'))
const DeleteAccountDialog = lazyDialog(() => import('./delete-account-dialog.tsx'))

export function AccountMenu() {
  const { t } = useTranslation('shell')
  const { t: common, i18n } = useTranslation()
  const { user } = useViewer()
  const { slug, role } = useOrg()
  const mayReply = roleCan(effectiveRole(role), 'chat:reply')
  const signOut = useSignOut()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Menu
        label={t('account.label')}
        className="side-account"
        side="above-start"
        tip={user.name}
        button={
          <>
            {user.image ? (
              <img className="side-avatar center" src={user.image} alt="" width="28" height="28" />
            ) : (
              <span className={`side-avatar center hue-${hueOfKey(user.id)}`} aria-hidden="true">
                {initialsOf(user.name)}
              </span>
            )}
            <span className="side-two">
              <strong dir="auto">{user.name}</strong>
              {mayReply ? <AvailabilityMark /> : null}
            </span>
            <Icon name="updown" className="side-mark" />
          </>
        }
      >
        {() => (
          <>
            <p className="menu-note fine" role="none">
              {user.email}
            </p>
            <Link
              className="menu-item"
              role="menuitem"
              data-item=""
              tabIndex={-1}
              to={paths.settingsOf(slug, 'profile')}
            >
              <Icon name="person" />
              {t('nav.settingsProfile')}
            </Link>
            {user.role === 'admin' ? (
              <Link className="menu-item" role="menuitem" data-item="" tabIndex={-1} to={paths.siteAdmin()}>
                <Icon name="building" />
                {t('account.site')}
              </Link>
            ) : null}
            {mayReply ? <AvailabilityItems /> : null}
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a menu */}
            <div className="menu-part" role="group" aria-label={common('language.label')}>
              {languages.map(language => (
                <MenuItem
                  key={language}
                  lang={language}
                  checked={i18n.language === language}
                  onClick={() => void chooseLanguage(i18n, language)}
                >
                  <Icon name="globe" />
                  {common(`language.${language}`)}
                </MenuItem>
              ))}
            </div>
            <div className="menu-part" role="none">
              <MenuItem danger onClick={() => setDeleting(true)}>
                <Icon name="trash" />
                {t('account.delete')}
              </MenuItem>
              <MenuItem onClick={() => void signOut()}>
                <Icon name="exit" />
                {t('account.signOut')}
              </MenuItem>
            </div>
          </>
        )}
      </Menu>
      {isDeleting ? <DeleteAccountDialog onClose={() => setDeleting(false)} /> : null}
    </>
  )
}
