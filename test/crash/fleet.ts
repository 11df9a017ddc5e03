import type { Dice } from '#server/cli/seed-words.ts'
import type { ServerProcess } from './server-process.ts'

/** What a round does with the server, whether it is one process or several. */
export type Server = Pick<ServerProcess, 'url' | 'ready' | 'start' | 'kill' | 'stop' | 'output'>

/** Several processes on one database: each call goes to the next of them, and a kill stops one at random. */
export class Fleet implements Server {
  readonly members: readonly ServerProcess[]
  readonly #dice: Dice
  #turn = 0
  #killed: ServerProcess | undefined
  /** One always is: a call that meets the dead process is repeated on the next. */
  readonly ready = Promise.resolve()
  constructor(members: readonly ServerProcess[], dice: Dice) {
    this.members = members
    this.#dice = dice
  }

  get url(): string {
    this.#turn += 1
    return (this.members[this.#turn % this.members.length] as ServerProcess).url
  }

  /** Starts all of them, or the one that was killed. */
  async start(): Promise<void> {
    if (this.#killed) await this.#killed.start()
    // Together, as a supervisor would: one migrates the schema while the others wait.
    else await Promise.all(this.members.map(member => member.start()))
    this.#killed = undefined
  }

  async kill(): Promise<void> {
    this.#killed = this.members[this.#dice.below(this.members.length)]
    await this.#killed?.kill()
  }

  async killAll(): Promise<void> {
    for (const member of this.members) await member.kill()
  }

  /** Returns the first exit code that is not 0. */
  async stop(): Promise<number | null> {
    const codes = await Promise.all(this.members.map(member => member.stop()))
    return codes.find(code => code !== 0) ?? 0
  }

  get output(): string {
    return this.members.map(member => member.output).join('\n')
  }
}
