import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'

interface DisclosureProps {
  readonly icon: IconName
  readonly label: string
  readonly className: string
  readonly children: (close: () => void) => ReactNode
}

/** A button and a panel that it opens above the phone. It closes on Escape, on a tap outside, and after a choice. */
export function Disclosure({ icon, label, className, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    box.current?.querySelector<HTMLElement>('button, input')?.focus()
    const outside = (event: PointerEvent) => {
      const target = event.target as Node
      if (!box.current?.contains(target) && !button.current?.contains(target)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', outside)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('keydown', onKey)
    }
  }, [isOpen])
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(open => !open)}
      >
        <Icon name={icon} />
      </button>
      {isOpen ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce a form
        <div ref={box} id={id} className={`sim-panel stack-s ${className}`} role="group" aria-label={label}>
          {children(close)}
        </div>
      ) : null}
    </>
  )
}
