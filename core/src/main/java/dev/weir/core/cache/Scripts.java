package dev.weir.core.cache;

/**
 * The steps that Redis takes as one. Times are Redis's own. A record's identity is its first 17 bytes, its guard the 13
 * digits after them; see {@link SharedRecord}.
 */
enum Scripts {
    /** KEYS the keys; ARGV channel, message, guard in ms. */
    EVICT("""
            local t = redis.call('TIME')
            local now = t[1] * 1000 + math.floor(t[2] / 1000)
            local stone = 'T' .. string.rep('\\0', 16) .. string.format('%013.0f', now + ARGV[3])
            for i = 1, #KEYS do
              redis.call('SET', KEYS[i], stone, 'PX', ARGV[3])
            end
            return redis.call('PUBLISH', ARGV[1], ARGV[2])
            """),

    /** KEYS the epochs; ARGV channel, message, cache, new epoch. */
    CLEAR("""
            redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
            return redis.call('PUBLISH', ARGV[1], ARGV[2])
            """),

    /** KEYS the key; ARGV epoch, token, lease in ms. Answers 1 and guarded, 2 and the value, or 3 and guarded. */
    ACQUIRE("""
            local t = redis.call('TIME')
            local now = t[1] * 1000 + math.floor(t[2] / 1000)
            local there = redis.call('GET', KEYS[1])
            local guard = string.rep('0', 13)
            if there then
              local kind = string.sub(there, 1, 1)
              guard = string.sub(there, 18, 30)
              if string.sub(there, 2, 9) == ARGV[1] then
                if kind == 'V' or kind == 'N' then return {2, there} end
                if kind == 'L' then return {3, tonumber(guard) > now and 1 or 0} end
              end
            end
            local left = tonumber(guard) - now
            redis.call('SET', KEYS[1], 'L' .. ARGV[1] .. ARGV[2] .. guard, 'PX', math.max(tonumber(ARGV[3]), left))
            return {1, left > 0 and 1 or 0}
            """),

    /**
     * KEYS the key; ARGV identity expected, type with epoch, id, value, time to live in ms. A value that would expire
     * before the guard that it carries is not kept, for the guard would end with it.
     */
    FILL("""
            local there = redis.call('GET', KEYS[1])
            if not there or string.sub(there, 1, 17) ~= ARGV[1] then return 0 end
            local guard = string.sub(there, 18, 30)
            local t = redis.call('TIME')
            local left = tonumber(guard) - (t[1] * 1000 + math.floor(t[2] / 1000))
            if left > tonumber(ARGV[5]) then
              redis.call('SET', KEYS[1], 'T' .. string.rep('\\0', 16) .. guard, 'PX', left)
            else
              redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3] .. guard .. ARGV[4], 'PX', ARGV[5])
            end
            return 1
            """),

    /** KEYS the key; ARGV identity expected. */
    RELEASE("""
            local there = redis.call('GET', KEYS[1])
            if not there or string.sub(there, 1, 17) ~= ARGV[1] then return 0 end
            local t = redis.call('TIME')
            local left = tonumber(string.sub(there, 18, 30)) - (t[1] * 1000 + math.floor(t[2] / 1000))
            if left > 0 then
              redis.call('SET', KEYS[1], 'T' .. string.rep('\\0', 16) .. string.sub(there, 18, 30), 'PX', left)
            else
              redis.call('DEL', KEYS[1])
            end
            return 1
            """),

    /** KEYS the key; ARGV channel, message, identity, value, time to live in ms, guard in ms. */
    PUT("""
            local t = redis.call('TIME')
            local now = t[1] * 1000 + math.floor(t[2] / 1000)
            local guard = string.format('%013.0f', now + ARGV[6])
            local there = redis.call('GET', KEYS[1])
            local stored = 1
            local guarded = there and tonumber(string.sub(there, 18, 30)) > now
            if guarded or tonumber(ARGV[5]) < tonumber(ARGV[6]) then
              redis.call('SET', KEYS[1], 'T' .. string.rep('\\0', 16) .. guard, 'PX', ARGV[6])
              stored = 0
            else
              redis.call('SET', KEYS[1], ARGV[3] .. guard .. ARGV[4], 'PX', ARGV[5])
            end
            return {stored, redis.call('PUBLISH', ARGV[1], ARGV[2])}
            """),

    /** KEYS the epochs; ARGV channel, message, run id of this Redis, then caches and proposed epochs in turn. */
    BEAT("""
            if redis.call('HGET', KEYS[1], ':run') ~= ARGV[3] then
              redis.call('DEL', KEYS[1])
              redis.call('HSET', KEYS[1], ':run', ARGV[3])
            end
            local epochs = {}
            for i = 4, #ARGV, 2 do
              redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1])
              epochs[#epochs + 1] = redis.call('HGET', KEYS[1], ARGV[i])
            end
            redis.call('PUBLISH', ARGV[1], ARGV[2])
            return epochs
            """);

    private final String text;

    Scripts(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
