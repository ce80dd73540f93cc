/** What the service may use of the machine. */

/** Enough for 200 agents with two connections each, and for pages. */
export const maxDescriptors = 500

/** Each connection can hold a header of 1 MiB in memory: all of them stay below two thirds of this (decision 36). */
export const memoryMax = '1G'

/** Connections of one account: half of all, and enough for a hundred agents. */
export const maxConnectionsPerAccount = 250

/** Connections of all accounts together: what is left lets others connect, and the service open files. */
export const maxConnectionsOfAccounts = 400
