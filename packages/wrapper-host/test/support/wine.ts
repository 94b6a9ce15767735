/** Whether this Windows is Wine, some of whose faults no test of ours can get around. Whoever starts tests there tells it. */
export const isWine = process.env.SERVICE_TEST_WINE === '1'
