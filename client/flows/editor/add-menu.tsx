import { useTranslation } from 'react-i18next'
import { NodeIcon } from '#client/flows/canvas/node-icon.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addableTypes, type OutputPlace } from './draft.ts'
import { useEditorActions } from './editor-context.ts'
import { disconnect } from './operations.ts'

interface AddMenuProps {
  /** Absent: a step that stands alone. */
  readonly place?: OutputPlace
  /** Whether nothing follows there: then it can be said to end there. */
  readonly isOpen?: boolean
  readonly label: string
  readonly className?: string
  /** Which step or way it is about, for whoever does not see where it stands. */
  readonly about?: string | undefined
}

/** Read, and not seen: many say the same, each beside what it is about. */
export const About = ({ what }: { readonly what: string | undefined }) =>
  what ? <span className="sr-only">: {what}</span> : null

/** The kinds of step, to put one there. */
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
