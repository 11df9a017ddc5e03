import './palette.css'
import { Command } from 'cmdk'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/icon.tsx'
import { type CommandGroup, useCommandGroups } from './commands.ts'

const scrollbarGoneMs = 600

/** The list's scrollbar shows under the pointer and goes a moment after it left. @see spec §9 */
const useShyScrollbar = () => {
  const [isShown, setShown] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    'data-scrollbar': isShown ? 'shown' : 'hidden',
    onPointerEnter: () => {
      clearTimeout(timer.current)
      setShown(true)
    },
    onPointerLeave: () => {
      timer.current = setTimeout(() => setShown(false), scrollbarGoneMs)
    },
  }
}

const Group = ({ group, onDone }: { group: CommandGroup; onDone: (run: () => void) => void }) => (
  <Command.Group heading={group.title}>
    {group.commands.map(command => (
      <Command.Item
        key={command.id}
        value={`${command.title} ${command.id}`}
        keywords={command.keywords ? [...command.keywords] : undefined}
        onSelect={() => onDone(command.run)}
      >
        {command.icon ? <Icon name={command.icon} /> : null}
        <span className="cut">{command.title}</span>
        {command.hint ? <small>{command.hint}</small> : null}
      </Command.Item>
    ))}
  </Command.Group>
)

/** Everything the product can reach or do, found by typing. Mounted while open. @see spec §2 */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette')
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const groups = useCommandGroups(typed)
  const scrollbar = useShyScrollbar()

  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  /** Closes first: what runs may navigate, ask or focus. */
  const done = (run: () => void) => {
    onClose()
    run()
  }
  const onBackdrop = (event: PointerEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) onClose()
  }
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('label')}
      onClose={onClose}
      onCancel={onClose}
      onPointerDown={onBackdrop}
    >
      <Command label={t('label')} loop={false}>
        <div className="palette-field">
          <Icon name="search" />
          <Command.Input autoFocus value={typed} onValueChange={setTyped} placeholder={t('placeholder')} />
        </div>
        <Command.List label={t('results')} {...scrollbar}>
          <Command.Empty>{t('empty')}</Command.Empty>
          {groups.map(group => (
            <Group key={group.id} group={group} onDone={done} />
          ))}
        </Command.List>
      </Command>
    </dialog>
  )
}
