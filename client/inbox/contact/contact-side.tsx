import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { openPopover } from '#client/ui/overlays/open-popover.ts'
import { ContactHead } from './contact-head.tsx'
import { contactSideId, setContactSide, useRoomBeside } from './contact-place.ts'
import { ContactWaits } from './contact-waits.tsx'

const ContactPanel = lazyDialog(() => import('./contact-panel.tsx'), ContactWaits)

const nameButton = () => document.querySelector<HTMLElement>('.who-button')

const close = () => {
  setContactSide(false)
  nameButton()?.focus()
}

/** Escape returns to the composer. Open dialogs and menus handle it first. */
const leave = (event: KeyboardEvent<HTMLElement>) => {
  if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return
  if (!event.currentTarget.contains(event.target as Node) || document.querySelector(openPopover)) return
  event.preventDefault()
  nameButton()?.focus()
}

/** The contact's place beside the thread: there from the first byte, filled after hydration if there is space. */
export const ContactSide = ({ org, phone }: { org: string; phone: string }) => {
  const { t } = useTranslation('inbox')
  const hasRoom = useRoomBeside()
  return (
    <section
      id={contactSideId}
      className="contact-side"
      aria-label={t('contact.title')}
      tabIndex={-1}
      onKeyDown={leave}
    >
      <ContactHead onClose={close} />
      {hasRoom ? <ContactPanel org={org} phone={phone} onClose={close} /> : <ContactWaits />}
    </section>
  )
}
