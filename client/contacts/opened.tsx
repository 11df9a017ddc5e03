import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { queryFor } from '#client/app/queries/queries.ts'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { openPopover } from '#client/ui/overlays/open-popover.ts'
import { useLasting } from '#client/ui/page/steady.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { refreshContacts } from './queries.ts'

const Waiting = () => <span className="skeleton skeleton-rows contact-pane-skeleton" />

const ContactSide = lazyDialog(() => import('./contact-side.tsx'), Waiting)

const key = 'contact'
const addressMaxChars = 160
const rowLinks = '.contact-who a'

/** The same address with this contact open, or none. */
const searchWith = (search: string, address: string | undefined): string => {
  const query = new URLSearchParams(search)
  if (address === undefined) query.delete(key)
  else query.set(key, address)
  return query.size ? `?${query}` : ''
}

/** The contact that the address opens, `?contact=`. */
export const useOpened = (): string | undefined =>
  new URLSearchParams(useLocation().search).get(key)?.slice(0, addressMaxChars) || undefined

/** Returns the target of a row: the list with its contact open. Back closes it, however many were opened. */
export function useContactLink(): (address: string) => { to: { search: string }; replace: boolean } {
  const { search } = useLocation()
  const opened = useOpened()
  return address => ({ to: { search: searchWith(search, address) }, replace: opened !== undefined })
}

const linkOf = (address: string) =>
  document.querySelector<HTMLElement>(
    `${rowLinks}[href*="${CSS.escape(String(new URLSearchParams({ [key]: address })))}"]`,
  )

/** Arrow keys in the list go to the row above or below, and open it where a contact is open. */
export function useRowKeys(): (event: KeyboardEvent<HTMLElement>) => void {
  const isOpen = useOpened() !== undefined
  return event => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>(rowLinks)]
    const next = links[links.indexOf(event.target as HTMLElement) + step]
    if (!next || !links.includes(event.target as HTMLElement)) return
    event.preventDefault()
    next.focus()
    if (isOpen) next.click()
  }
}

/** The open contact: beside the list from 1280 px on, instead of it below. page.css has the width. */
export function OpenedContact() {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const { search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const pane = useRef<HTMLElement>(null)
  const address = useOpened()
  const conversation = useKnownAnswer(queryFor(slug, 'contacts.getContact', { params: { phone: address ?? '' } }))
    ?.conversations[0]
  const close = useLasting(() => {
    void navigate({ search: searchWith(search, undefined) }, { replace: true, preventScrollReset: true })
    void refreshContacts(client, slug)
  })
  useEffect(() => {
    if (!address) return
    // On narrow pages the contact replaces the list, and the focused row is hidden.
    if (!linkOf(address)?.checkVisibility({ visibilityProperty: true })) pane.current?.focus()
    return () => {
      setTimeout(() => {
        const { activeElement } = document
        if (activeElement === document.body || !activeElement?.isConnected) linkOf(address)?.focus()
      })
    }
  }, [address])
  useEffect(() => {
    if (!address) return
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
      if (document.querySelector(openPopover) || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      // From a field of the contact, Escape leads out of the field, so that one press too many closes nothing.
      const isInField = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (isInField && pane.current?.contains(event.target)) pane.current.focus()
      else close()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [address, close])
  if (!address) return null
  const title = t('side.title')
  return (
    <section ref={pane} className="contact-pane" aria-label={conversation?.name ?? title} tabIndex={-1}>
      <header className="contact-pane-head line">
        <button type="button" className="icon-button contact-pane-back" data-tip={t('side.back')} onClick={close}>
          <Icon name="back" />
          <span className="sr-only">{t('side.back')}</span>
        </button>
        <h2 className="grow">{title}</h2>
        <Link className="button" to={paths.chat(slug, address)}>
          <Icon name="chat" />
          {t('side.chat')}
        </Link>
        <button type="button" className="icon-button contact-pane-close" data-tip={t('side.close')} onClick={close}>
          <Icon name="close" />
          <span className="sr-only">{t('side.close')}</span>
        </button>
      </header>
      {/* Its texts may come later than it does. */}
      <Suspense fallback={<Waiting />}>
        <ContactSide
          key={address}
          org={slug}
          address={address}
          canReply={roleCan(effectiveRole(role), 'chat:reply')}
          onClose={close}
        />
      </Suspense>
    </section>
  )
}
