import { memo } from 'react'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type ComposedKind, composedIcons, composedKinds } from '../kinds/composed.ts'
import type { InboxT } from '../words.ts'
import { Tool } from './composer-parts.tsx'
import { FileInput } from './files/file-input.tsx'

/** Actions of the toolbar. The functions are stable while the composer is mounted. */
export interface ComposerTools {
  openEmojis(anchor: HTMLElement): void
  takeFiles(files: readonly File[]): void
  chooseTemplate(): void
  beginAnswer(): void
  schedule(): void
  openKind(kind: ComposedKind): void
  record(): void
  startFlow(): void
}

interface ComposerBarProps {
  isNote: boolean
  canSend: boolean
  /** Characters above the limit. */
  over: number
  writesAs: string | undefined
  tools: ComposerTools
  t: InboxT
}

/** Below the field: what else can be sent, and the send button. Typing does not re-render it. */
export const ComposerBar = memo(({ isNote, canSend, over, writesAs, tools, t }: ComposerBarProps) => (
  <div className="composer-bar">
    <Tool label={t('composer.emoji')} icon="smile" isRoomy onClick={event => tools.openEmojis(event.currentTarget)} />
    {isNote ? null : (
      <>
        <FileInput label={t('files.attach')} icon="clip" onFiles={tools.takeFiles} />
        <Tool label={t('composer.template')} icon="form" pressedBy="p" onClick={tools.chooseTemplate} />
        <Tool label={t('answers.title')} icon="slash" onClick={tools.beginAnswer} />
        <Tool label={t('scheduled.label')} icon="calendar" onClick={tools.schedule} />
        <Menu
          label={t('kinds.label')}
          tip={t('kinds.label')}
          className="icon-button"
          side="above-end"
          button={
            <>
              <Icon name="plus" />
              <span className="sr-only">{t('kinds.label')}</span>
            </>
          }
        >
          {() =>
            composedKinds.map(name => (
              <MenuItem key={name} onClick={() => tools.openKind(name)}>
                <Icon name={composedIcons[name]} />
                {t(`kinds.${name}`)}
              </MenuItem>
            ))
          }
        </Menu>
        <Tool label={t('voice.record')} icon="mic" onClick={tools.record} />
        <Tool label={t('startFlow.label')} icon="flow" isRoomy onClick={tools.startFlow} />
        {writesAs === undefined ? null : (
          <span className="composer-number cut">{t('composer.writesAs', { number: writesAs })}</span>
        )}
      </>
    )}
    {over > 0 ? (
      <span className="composer-over" role="alert">
        {t('composer.tooLong', { count: over })}
      </span>
    ) : null}
    <button type="submit" className="button button-primary" disabled={!canSend}>
      <Icon name={isNote ? 'lock' : 'send'} />
      {t(isNote ? 'note.save' : 'composer.send')}
    </button>
  </div>
))
