import { useTranslation } from 'react-i18next'
import { NodeIcon } from '#client/flows/canvas/node-icon.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addableTypes, type OutputPlace } from './draft.ts'
import { useEditorActions } from './editor-context.ts'
import { disconnect } from './operations.ts'

interface AddMenuProps {
  /** Absent: an unconnected step. */
  readonly place?: OutputPlace
  /** Nothing follows here, so the output can also be marked as an end. */
  readonly isOpen?: boolean
  readonly label: string
  readonly className?: string
  /** The step or output, for screen readers. */
  readonly about?: string | undefined
}

/** For screen readers only: several buttons have the same text, each next to its step. */
export const About = ({ what }: { readonly what: string | undefined }) =>
  what ? <span className="sr-only">: {what}</span> : null

/** Menu with the kinds of step that can be added here. */
export function AddMenu({ place, isOpen, label, className = 'link flow-add', about }: AddMenuProps) {
  const { t } = useTranslation('flows')
  const { add, change, paste } = useEditorActions()
  return (
    <Menu
      label={label}
      className={className}
      side="below-start"
      button={
        <>
          <Icon name="plus" />
          {label}
          <About what={about} />
        </>
      }
    >
      {() => (
        <>
          {addableTypes.map(type => (
            <MenuItem key={type} onClick={() => add(type, place)}>
              <NodeIcon type={type} />
              {t(`node.${type}`)}
            </MenuItem>
          ))}
          <MenuItem onClick={() => paste(place)}>{t('paste')}</MenuItem>
          {place && isOpen ? (
            <MenuItem onClick={() => change(graph => disconnect(graph, place, true))}>{t('outputs.end')}</MenuItem>
          ) : null}
        </>
      )}
    </Menu>
  )
}
