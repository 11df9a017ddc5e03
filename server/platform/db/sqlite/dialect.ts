import {
  type CreateTableNode,
  type DataTypeNode,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteQueryCompiler,
} from 'kysely'
import { type DriverOptions, LockWaitingDriver } from './lock-waiting-driver.ts'

/** The driver queues access to the single connection. */
class RecadoAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
  /**
   * Kysely says no because of `pragma foreign_keys`, which our migrations do not change; all pending ones run in one
   * commit.
   */
  override get supportsTransactionalDdl() {
    return true
  }
}

/** Shared by all connections, so that statements compiled for one apply to all. */
const adapter = new RecadoAdapter()

/** SQLite's dialect with STRICT tables. */
class RecadoCompiler extends SqliteQueryCompiler {
  protected override visitCreateTable(node: CreateTableNode): void {
    super.visitCreateTable(node)
    this.append(' strict')
  }
  /** STRICT has five types; Kysely's own tables use varchar. */
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType.startsWith('varchar')) this.append('text')
    else super.visitDataType(node)
  }
  /**
   * `+?` instead of `?`. SQLite with STAT4 uses the values bound to a join's conditions for planning, and plans again
   * for other values, which makes a lookup over two tables six times as expensive. The plus hides the value, so the
   * plan stays the one that tests have seen.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

export class RecadoSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  readonly #options: DriverOptions
  constructor(config: SqliteDialectConfig, options: DriverOptions = {}) {
    super(config)
    this.#config = config
    this.#options = options
  }
  override createDriver() {
    return new LockWaitingDriver(this.#config, this.#options)
  }
  override createQueryCompiler() {
    return new RecadoCompiler()
  }
  override createAdapter() {
    return adapter
  }
}
