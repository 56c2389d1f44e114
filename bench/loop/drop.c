/* Drops packets by chance: one in LOSS_PPM per million, as a classifier of tc on what leaves an interface. */
#define TC_ACT_OK 0
#define TC_ACT_SHOT 2

/* bpf_get_prandom_u32 */
static unsigned int (*random_u32)(void) = (void *)7;

__attribute__((section("classifier"), used)) int drop(void *packet)
{
	return random_u32() % 1000000 < LOSS_PPM ? TC_ACT_SHOT : TC_ACT_OK;
}

char declared_license[] __attribute__((section("license"), used)) = "GPL";
