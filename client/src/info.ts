/** What a connector says about itself, as pages see it. */

/**
 * The connector, its device and its user. The names are those of the legacy library, so that you can change over field by field. Before
 * the user has allowed the page, the fields below are all there is. Afterwards there are more, which depend on the version of the connector.
 */
export interface Info {
  /** The connector. */
  readonly t1CInfoAPI: {
    /** How the connector is reached. */
    readonly service: {
      /** `API`: the user has allowed this page. `PROXY`: the user hasn't, or it isn't known who asks. */
      readonly deviceType: 'PROXY' | 'API'
      /** The URL of the distribution service that the connector belongs to. */
      readonly distributionServiceUrl?: string | undefined
      /** Always false, for the legacy library. */
      readonly dsRegistryActivated: false
      readonly [name: string]: unknown
    }
    /** The version of the connector, such as `4.0.0`. */
    readonly version: string
    /** `UNREGISTERED`: the connector hasn't registered with its distribution service yet. */
    readonly status: 'ACTIVATED' | 'UNREGISTERED'
    /** Always false, for the legacy library: pages always need the user's consent. */
    readonly optionalConsent: false
    readonly [name: string]: unknown
  }
  /** The user of the computer. */
  readonly t1CInfoUser: {
    /** The name of the computer. `localhost` while the user hasn't allowed the page. */
    readonly hostName: string
    readonly [name: string]: unknown
  }
}
