/*
 * What a device trusts: registration, rotation of reply keys, restores of either side, unsigned errors, jumps of the clock.
 * The attacker holds a certificate for the name of the service: answers in its place, drops, and replays what it has seen.
 * It has no reply key. Assumed: at a first registration without fingerprints in the settings the attacker is not there.
 *
 * Invariants, by the names of their assertions:
 * own_keys       A device trusts only reply keys that the service made.
 * own_policy     A policy takes effect only if the service gives it in answer to this request.
 * own_time       The clock by which tokens are judged follows only the service.
 * key_on_demand  A registered device sends the installation key only if the service has said that it is unknown.
 * comes_back     Without the attacker a device synchronizes within three attempts, if a key that it trusts, or that its
 *                settings name, leads to the one that signs.
 *
 * UNSIGNED: the protocol until decision 123. It consists of UNSIGNED_REFUSAL, UNSIGNED_REGISTRATION and UNSIGNED_TIME.
 * REPLAYED_REFUSAL, REPLAYED_REPLY: such statements are not bound to a request.
 * A comment "code:" names the function that a step stands for.
 */
#ifndef KEYS
#define KEYS 4          /* reply keys that the service makes at most */
#endif
#define ATTACKER 7      /* the key of the attacker */
#define NO_KEY 6        /* no signature, or none that is valid */
#define bit(key) (1 << (key))
#define has(mask, key) (((mask) & bit(key)) != 0)

mtype = { NOTHING, REPLY, REGISTRATION, UNKNOWN, BLOCKED, SKEWED };
mtype = { REST, SYNCHRONIZE, REGISTER };    /* what the device does next */

typedef Database { byte signing; byte standby; byte endorsements; byte policy; bool knows }
typedef Disk { bool registered; byte trusted; bool foreign }
/* `claimed`: the key that the header names; `signer`: the one that made the signature. */
typedef Statement { mtype kind; byte claimed; byte signer; byte keys; byte policy; bool foreign; bool fresh }

Database service, serviceBackup;
Disk disk, diskBackup;
Statement answer, captured;
byte made = 2;            /* keys that the service has made, in all its databases */
byte endorser[KEYS];      /* of each key the one that endorsed it */
byte named;               /* fingerprints in the settings */
bool honest;              /* the attacker has gone */
bool said_unknown;        /* ghost: the service has just said so, of this request */
bool right_time = true;   /* of the assertions of the device */
bool forged_time;         /* of the clock that judges tokens */
bool synchronized;
mtype next = REST;
byte basis;               /* what a registration under way trusts */
byte reached, k, attempts;

/* The keys that `from` leads to, by the endorsements in `edges`. Keys are endorsed by older ones. */
/* code: connector/src/distribution/client/key-chain.ts resolveKeyChain */
inline follow(from, edges) {
  reached = (from);
  for (k : 1 .. KEYS - 1) {
    if
    :: k < made && has(edges, k) && has(reached, endorser[k]) -> reached = reached | bit(k)
    :: else
    fi
  }
}

/* Endorsements are public: the attacker withholds them, or adds those that a restored service has lost. */
/* code: connector/src/distribution/client/ds-client.ts fetchRotationStatements */
inline fetch_endorsements(from) {
  if
  :: follow(from, service.endorsements)
  :: !honest -> follow(from, 255)
  :: !honest -> reached = (from)
  fi
}

inline set_answer(a_kind, a_claim, a_key, an_offer) {
  answer.kind = a_kind; answer.claimed = a_claim; answer.signer = a_key; answer.keys = an_offer;
  answer.policy = 0; answer.foreign = (a_key != service.signing); answer.fresh = true
}

/* code: ds/src/routes/sync.ts synchronize */
/* code: ds/src/sync/sign-reply.ts signReply */
/* code: ds/src/auth/keys/sign-refusal.ts signUnknownDevice */
/* code: ds/src/rules/assertion.ts checkAssertion */
inline serve_sync() {
  if
  :: disk.foreign -> set_answer(NOTHING, NO_KEY, NO_KEY, 0)      /* assertion-refused, for ever */
  :: !disk.foreign && !service.knows ->
     said_unknown = true; set_answer(UNKNOWN, service.signing, service.signing, 0)
  :: !disk.foreign && service.knows && !right_time -> set_answer(SKEWED, NO_KEY, NO_KEY, 0)
  :: !disk.foreign && service.knows && right_time ->
     set_answer(REPLY, service.signing, service.signing, bit(service.signing) | bit(service.standby));
     answer.policy = service.policy
  fi
}

/* code: ds/src/routes/register-device.ts bindRegistrationRoutes */
inline serve_registration() {
  service.knows = true;
  set_answer(REGISTRATION, service.signing, service.signing, bit(service.signing) | bit(service.standby))
}

inline attack() {
  if
  :: set_answer(UNKNOWN, NO_KEY, NO_KEY, 0)
  :: set_answer(UNKNOWN, ATTACKER, ATTACKER, 0)
  :: set_answer(UNKNOWN, service.signing, NO_KEY, 0)
  :: set_answer(BLOCKED, NO_KEY, NO_KEY, 0)
  :: set_answer(SKEWED, NO_KEY, NO_KEY, 0)
  :: set_answer(REPLY, ATTACKER, ATTACKER, bit(ATTACKER))
  :: set_answer(REPLY, service.signing, NO_KEY, bit(ATTACKER))
  :: set_answer(REGISTRATION, ATTACKER, ATTACKER, bit(ATTACKER))
  :: set_answer(REGISTRATION, service.signing, NO_KEY, bit(service.signing) | bit(ATTACKER))
  :: captured.kind != NOTHING ->
     answer.kind = captured.kind; answer.claimed = captured.claimed; answer.signer = captured.signer;
     answer.keys = captured.keys; answer.policy = captured.policy; answer.foreign = false; answer.fresh = false
  fi
}

/* One request of the device. */
/* code: connector/src/distribution/client/signed-sender.ts send */
inline ask() {
  said_unknown = false;
  if
  :: if
     :: next == REGISTER -> serve_registration()
     :: else -> serve_sync()
     fi;
     if
     :: skip
     :: !honest -> captured.kind = answer.kind; captured.claimed = answer.claimed; captured.signer = answer.signer;
                   captured.keys = answer.keys; captured.policy = answer.policy
     fi;
     if
     :: skip
     :: !honest -> answer.kind = NOTHING
     fi
  :: !honest && (disk.registered || named != 0) -> attack()
  fi
}

#ifdef UNSIGNED
#define UNSIGNED_REFUSAL
#define UNSIGNED_REGISTRATION
#define UNSIGNED_TIME
#endif
#define is_signed (answer.claimed == answer.signer)

#ifdef UNSIGNED_REGISTRATION
#define is_accepted ((answer.keys & reached) != 0)
#else
#define is_accepted (is_signed && answer.fresh && has(answer.keys & reached, answer.signer))
#endif

#ifdef UNSIGNED_REFUSAL
#define is_refused true
#define basis_of_again named
#else
#define basis_of_again (disk.trusted | named)
#ifdef REPLAYED_REFUSAL
#define is_refused (is_signed && has(reached, answer.signer))
#else
#define is_refused (is_signed && answer.fresh && has(reached, answer.signer))
#endif
#endif

#ifdef REPLAYED_REPLY
#define is_reply is_signed
#else
#define is_reply (is_signed && answer.fresh)
#endif

/* A registration that trusts `basis`; nothing: the first one, which trusts what it finds. */
/* code: connector/src/distribution/sync/registration.ts register */
/* code: connector/src/distribution/client/registration-keys.ts selectResponseSigningKeys */
/* code: connector/src/distribution/client/signed-by-service.ts verifyRegistration */
inline read_registration() {
  fetch_endorsements(basis);
  if
  :: basis == 0 -> reached = 255
  :: else
  fi;
  if
  :: answer.kind == REGISTRATION && is_accepted ->
     disk.foreign = answer.foreign; disk.registered = true; disk.trusted = answer.keys & reached;
     next = SYNCHRONIZE
  :: else -> next = REST
  fi
}

/* code: connector/src/distribution/client/verify-reply.ts verifyReply */
/* code: connector/src/distribution/sync/registration.ts recover */
/* code: connector/src/distribution/sync/registration.ts requireTrustedRefusal */
/* code: connector/src/distribution/sync/registration.ts trustReplyKey */
inline read_answer() {
  next = REST;
  if
  :: answer.kind == UNKNOWN ->
     fetch_endorsements(disk.trusted | named);
     if
     :: is_refused -> basis = basis_of_again; next = REGISTER
     :: !is_refused
     fi
  :: answer.kind == SKEWED ->
     right_time = honest || !right_time;
     next = SYNCHRONIZE;
#ifdef UNSIGNED_TIME
     forged_time = !honest
#endif
  :: answer.kind == REPLY && has(disk.trusted, answer.claimed) ->
     if
     :: is_reply ->
        assert(answer.signer != ATTACKER && answer.policy == service.policy);   /* own_policy */
        disk.trusted = answer.keys; right_time = true; synchronized = true
     :: else
     fi
  :: answer.kind == REPLY && !has(disk.trusted, answer.claimed) && has(named, answer.claimed) ->
#ifdef UNSIGNED_REFUSAL
     basis = named; next = REGISTER
#else
     disk.trusted = disk.trusted | bit(answer.claimed); next = SYNCHRONIZE
#endif
  :: answer.kind == REPLY && !has(disk.trusted, answer.claimed) && !has(named, answer.claimed) ->
     fetch_endorsements(disk.trusted | named);
     if
     :: has(reached, answer.claimed) ->
        disk.trusted = disk.trusted | bit(answer.claimed); next = SYNCHRONIZE
     :: else
     fi
  :: else
  fi
}

/* One request, and what follows from its answer. */
/* code: connector/src/distribution/sync/session.ts openSyncSession */
inline step() {
  if
  :: next == REGISTER ->
     assert(!disk.registered || said_unknown);                             /* key_on_demand */
     ask();
     read_registration()
  :: else ->
     ask();
     read_answer()
  fi;
  assert(!has(disk.trusted, ATTACKER));                                    /* own_keys */
  assert(!forged_time);                                                    /* own_time */
  set_answer(NOTHING, 0, 0, 0); answer.fresh = false; answer.foreign = false; reached = 0; k = 0   /* fewer states */
}

/* The key that stands by signs from now on, and endorses the next one. */
/* code: ds/src/auth/keys/key-chain.ts signRotationStatement */
inline rotate() {
  endorser[made] = service.standby;
  service.signing = service.standby; service.standby = made;
  service.endorsements = service.endorsements | bit(made);
  made++
}

inline copy_database(to, from) {
  to.signing = from.signing; to.standby = from.standby; to.endorsements = from.endorsements;
  to.policy = from.policy; to.knows = from.knows
}

inline copy_disk(to, from) {
  to.registered = from.registered; to.trusted = from.trusted; to.foreign = from.foreign
}

/* The attacker has gone. Only an administrator can tell that a service whose keys the device does not know is its own. */
/* docs/deploy.md, "Backups and reply keys": the way out. */
inline name_key() {
  follow(disk.trusted | named, service.endorsements);
  if
  :: !has(reached, service.signing) -> named = bit(service.signing)
  :: else
  fi;
  captured.kind = NOTHING; captured.claimed = 0; captured.signer = 0; captured.keys = 0; captured.policy = 0;
  copy_database(serviceBackup, service); copy_disk(diskBackup, disk); reached = 0; k = 0         /* fewer states */
}

init {
  d_step {
    service.signing = 0; service.standby = 1; service.endorsements = bit(1); service.policy = 1;
    endorser[1] = 0; captured.kind = NOTHING; answer.kind = NOTHING;
    copy_database(serviceBackup, service)
  }
  if
  :: named = 0
  :: named = bit(0)       /* an installer with the fingerprint of the first key */
  fi;
  do
  :: atomic { next != REST -> step() }
  :: atomic { next == REST && attempts < 3 ->
       synchronized = false;
       basis = named;
       if
       :: disk.registered -> next = SYNCHRONIZE
       :: else -> next = REGISTER
       fi;
       attempts = attempts + honest }
  :: atomic { next == REST && (synchronized && honest || attempts == 3) ->
       assert(synchronized);                                               /* comes_back */
       break }
  :: atomic { !honest && made < KEYS -> rotate() }
  :: atomic { !honest && service.policy < 2 -> service.policy++ }
  :: atomic { !honest && service.knows -> service.knows = false }  /* an administrator deletes the device */
  :: atomic { !honest -> copy_database(serviceBackup, service) }
  :: atomic { !honest -> copy_database(service, serviceBackup) }
  :: atomic { !honest -> copy_disk(diskBackup, disk) }
  :: atomic { !honest && next == REST -> copy_disk(disk, diskBackup) }
  :: atomic { !honest && right_time -> right_time = false }        /* either clock jumps */
  :: atomic { !honest && next == REST -> honest = true; name_key() }
  od
}
