import {
  type CreateTableNode,
  type DataTypeNode,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteQueryCompiler,
} from 'kysely'
import { type DriverOptions, LockWaitingDriver } from './lock-waiting-driver.ts'

/** The driver itself sees to it that one at a time has the connection. */
class RecadoAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
  /** Kysely says no because of `pragma foreign_keys`, which no migration here changes: those that run, run in one commit. */
  override get supportsTransactionalDdl() {
    return true
  }
}

/** One for all connections: what was compiled for this engine is known by it. */
const adapter = new RecadoAdapter()

/** SQLite's dialect, with what the product wants of it in one place: STRICT tables, prepared statements kept. */
class RecadoCompiler extends SqliteQueryCompiler {
  protected override visitCreateTable(node: CreateTableNode): void {
    super.visitCreateTable(node)
    this.append(' strict')
  }
  /** STRICT knows five types; Kysely's own tables ask for varchar. */
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType.startsWith('varchar')) this.append('text')
    else super.visitDataType(node)
  }
  /**
   * `+?` instead of `?`. SQLite built with STAT4, as here, looks at the values bound to a join's conditions when it plans
   * and plans again at every run with others: six times the price of a lookup over two tables. Behind a plus it does not
   * look, and the plan stays what the tests have seen.
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
