import type { FastifyInstance } from 'fastify'
import type { EncryptedColumn } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Chore } from '#server/platform/work/maintenance.ts'
import type { ApiServices } from '#shared/api.ts'
import type { EndpointShape, ServiceOf } from '#shared/kernel/contract.ts'
import type { BaseParts } from './base.ts'

/**
 * The parts that features provide to one another, by name. Each feature declares its parts in its `feature.ts`:
 *
 *     declare module '#server/platform/wiring/feature.ts' {
 *       interface Parts { tags: Tags }
 *     }
 */
export interface Parts extends BaseParts {}

export type PartName = Exclude<keyof Parts, keyof BaseParts>

/** One service for each entry of `shared/api.ts`. A service for people only must say so in its contract. */
export type Services = { readonly [R in keyof ApiServices]: ServiceOf<ApiServices[R], OrgCaller> }

/** A call of another feature that a feature answers instead, with the contract it then has. */
export interface Replacement {
  readonly service: keyof ApiServices
  readonly name: string
  readonly endpoint: EndpointShape
  // biome-ignore lint/suspicious/noExplicitAny: each is typed by its contract where it is made
  readonly run: (caller: any, input: any) => unknown
}

/** The loop in `server/wiring.ts` collects the contributions of all features. */
export interface Contributions {
  /** The services, by their names in `shared/api.ts`. */
  readonly services?: Partial<Services>
  /** Calls that it answers instead of the features they belong to. `own`: the services that these features give. */
  replaces?(own: Services): readonly Replacement[]
  /** Only what a contract cannot say, such as uploads and streams. */
  routes?(app: FastifyInstance): void
  /** The listeners, in the order in which they run. A listener's `after` orders them across features. */
  readonly listeners?: readonly TransactionListener[]
  /** Run every hour. */
  readonly chores?: readonly Chore[]
  /** Called once the server listens. */
  start?(): void
  /** Finishes the work under way. */
  stop?(): void | Promise<void>
}

/** Programs read these facts without building the feature, such as when they check or replace the secret. */
export interface FeatureFacts {
  readonly name: string
  /** Columns that are encrypted with the installation's secret. */
  readonly encryptedColumns?: readonly EncryptedColumn[]
  /** True if the database has lasting values of this feature that are encrypted. */
  hasSealedRows?(db: Db): Promise<boolean>
}

export interface Feature<Provided extends Partial<Parts> = Partial<Parts>> extends FeatureFacts {
  readonly needs?: readonly PartName[]
  readonly later?: readonly PartName[]
  create(parts: Parts, later: Parts): Contributions & { readonly provides?: Provided }
}

/**
 * A feature of the product, listed in `server/features.ts`. `create` only builds: nothing may run before `start`.
 *
 * @see `server/platform/wiring/README.md`
 */
export function defineFeature<
  Needed extends PartName = never,
  Later extends PartName = never,
  Provided extends Partial<Parts> = Record<never, never>,
>(
  feature: FeatureFacts & {
    /** Parts that must exist first: their features stand before this one in the list. */
    readonly needs?: readonly Needed[]
    /** Parts of features further down the list. `create` must not read them, only functions that are called after `start`. */
    readonly later?: readonly Later[]
    create(
      parts: BaseParts & Pick<Parts, Needed>,
      later: Pick<Parts, Later>,
    ): Contributions & { readonly provides?: Provided }
  },
): Feature<Provided> {
  return feature
}

/** The names of the parts that these features provide. */
export type ProvidedBy<F> = F extends Feature<infer Provided> ? keyof Provided : never
