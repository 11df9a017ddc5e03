import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { type SimulatedInput, type Simulation, simulationLimits } from '#shared/flows/testing/simulation.ts'

/** The simulated customer. `hours`: the real business hours, or a fixed state. */
interface PlayedCustomer {
  readonly name: string
  readonly tagIds: readonly string[]
  readonly hours: 'real' | 'inside' | 'outside'
}

export interface Play {
  /** null: the draft. */
  readonly version: number | null
  readonly customer: PlayedCustomer
  /** The server's last simulation; undefined: none yet. */
  readonly answer: Simulation | undefined
  readonly failure: string | undefined
  readonly isWorking: boolean
  /** True if the last input can be removed. */
  readonly canStepBack: boolean
  /** No further input is possible. */
  readonly isFull: boolean
  say(input: SimulatedInput): void
  stepBack(): void
  restart(): void
  setCustomer(customer: PlayedCustomer): void
  /** Simulates another version. */
  setVersion(version: number | null): void
  /** Discards the conversation. */
  stop(): void
}

interface Playing {
  readonly inputs: readonly SimulatedInput[]
  readonly customer: PlayedCustomer
  readonly from: string | undefined
  readonly version: number | null
}

interface UsePlay {
  readonly flowId: string
  /** The revision of the draft on the server. */
  readonly revision: number
  /** True if the panel is open. */
  readonly isOn: boolean
  /** The customer's first message, which starts the flow. */
  readonly opening: string | undefined
  readonly firstName: string
  flush(): Promise<boolean>
  /** The error text if the draft could not be saved. */
  readonly unsaved: string
}

/**
 * A simulated conversation: its inputs are kept here, and the server simulates it from the beginning each time, so that
 * it is updated whenever the draft is saved.
 */
export function usePlay({ flowId, revision, isOn, opening, firstName, flush, unsaved }: UsePlay): Play {
  const api = useApi()
  const failureText = useFailureText()
  const [playing, setPlaying] = useState<Playing>({
    inputs: [],
    customer: { name: firstName, tagIds: [], hours: 'real' },
    from: undefined,
    version: null,
  })
  const [answer, setAnswer] = useState<Simulation>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, setWorking] = useState(false)
  const turn = useRef(0)
  const playedRevision = useRef(-1)
  /** An automatic simulation runs once per revision, even if it fails. */
  const followed = useRef(-1)

  const play = async (next: Playing) => {
    turn.current += 1
    const mine = turn.current
    setPlaying(next)
    setWorking(true)
    setFailure(undefined)
    try {
      if (!(await flush())) throw new Error(unsaved)
      if (mine !== turn.current) return
      const { name, tagIds, hours } = next.customer
      const played = await api.flows.simulate({
        params: { id: flowId },
        body: {
          inputs: [...next.inputs],
          customer: { name, tagIds: [...tagIds], phone: '5491155550100' },
          ...(opening === undefined ? {} : { opening }),
          ...(next.version === null ? {} : { version: next.version }),
          ...(next.from === undefined ? {} : { from: next.from }),
          ...(hours === 'real' ? {} : { isOpen: hours === 'inside' }),
        },
      })
      if (mine !== turn.current) return
      playedRevision.current = played.revision
      setAnswer(played)
      setPlaying({ ...next, from: played.from })
    } catch (error) {
      if (mine !== turn.current) return
      setFailure(error instanceof Error && error.message === unsaved ? unsaved : failureText(error))
    }
    setWorking(false)
  }

  const follow = useEffectEvent(() => {
    if (!isOn || isWorking || playedRevision.current >= revision || followed.current === revision) return
    followed.current = revision
    void play(playing)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved draft is played again, at once or after the current play
  useEffect(() => follow(), [revision, isOn, isWorking])

  return {
    customer: playing.customer,
    version: playing.version,
    answer,
    failure,
    isWorking,
    canStepBack: playing.inputs.length > 0,
    isFull: playing.inputs.length >= simulationLimits.inputs,
    say: input => void play({ ...playing, inputs: [...playing.inputs, input] }),
    stepBack: () => void play({ ...playing, inputs: playing.inputs.slice(0, -1) }),
    restart: () => void play({ ...playing, inputs: [], from: undefined }),
    setVersion: version => void play({ ...playing, version }),
    setCustomer: customer => void play({ ...playing, customer }),
    stop: () => {
      turn.current += 1
      playedRevision.current = -1
      followed.current = -1
      setPlaying({ ...playing, inputs: [], from: undefined, version: null })
      setAnswer(undefined)
      setFailure(undefined)
      setWorking(false)
    },
  }
}
