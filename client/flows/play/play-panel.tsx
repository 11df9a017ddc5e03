import { type KeyboardEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { Mark } from '../canvas/mark.tsx'
import { PlayChat } from './play-chat.tsx'
import { PlayClock } from './play-clock.tsx'
import { PlayComposer } from './play-composer.tsx'
import { PlayCustomer } from './play-customer.tsx'
import { PlayInside } from './play-inside.tsx'
import type { Play } from './use-play.ts'
import './play.css'

/** The number of recent versions that can be simulated. */
const maxVersions = 20

/** Simulates the same conversation on the draft or a published version. */
function VersionField({ play, published }: { readonly play: Play; readonly published: number }) {
  const { t } = useTranslation('flows')
  const id = useId()
  const versions = Array.from({ length: Math.min(published, maxVersions) }, (_, i) => published - i)
  return (
    <div className="field">
      <label htmlFor={id}>{t('play.version')}</label>
      <select
        id={id}
        value={play.version ?? ''}
        onChange={({ target }) => play.setVersion(target.value === '' ? null : Number(target.value))}
      >
        <option value="">{t('play.draft')}</option>
        {versions.map(version => (
          <option key={version} value={version}>
            {t('versions.number', { version })}
          </option>
        ))}
      </select>
    </div>
  )
}

interface PlayPanelProps {
  readonly play: Play
  /** The last version; null: there is none. */
  readonly published: number | null
  readonly graph: FlowGraph
  onClose(): void
}

/** A simulated conversation with the draft, on the real engine. Nothing is sent. */
export default function PlayPanel({ play, published, graph, onClose }: PlayPanelProps) {
  const { t } = useTranslation('flows')
  const { answer, failure } = play
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    <aside className="flow-panel flow-play" aria-label={t('play.title')} onKeyDown={onKeyDown}>
      <div className="flow-panel-head">
        <Mark name="play" />
        <h2 className="cut">{t('play.title')}</h2>
        <button
          type="button"
          className="icon-button"
          disabled={!play.canStepBack || play.isWorking}
          aria-label={t('play.stepBack')}
          data-tip={t('play.stepBack')}
          onClick={play.stepBack}
        >
          <Mark name="undo" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('play.restart')}
          data-tip={t('play.restart')}
          onClick={play.restart}
        >
          <Mark name="again" />
        </button>
        <button type="button" className="icon-button" aria-label={t('closePanel')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {failure ? (
        <div className="flow-play-failure">
          <Fault>{failure}</Fault>
        </div>
      ) : null}
      {answer ? (
        <>
          <PlayChat play={play} answer={answer} />
          <PlayClock play={play} answer={answer} />
          <PlayComposer play={play} isOver={answer.state === 'tooLong'} />
          {play.isFull ? <p className="flow-panel-note">{t('play.full')}</p> : null}
        </>
      ) : failure ? null : (
        <p className="flow-panel-note" role="status">
          {t('play.starting')}
        </p>
      )}
      <div className="flow-play-inside">
        {answer ? <PlayInside answer={answer} graph={graph} /> : null}
        {published === null ? null : <VersionField play={play} published={published} />}
        <PlayCustomer play={play} />
        <p className="field-hint">{t('play.hint')}</p>
      </div>
    </aside>
  )
}
