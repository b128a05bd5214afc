package dev.weir.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.plan.Template.Part.Literal;
import dev.weir.lab.plan.Template.Part.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    @Test
    void findsPlacesInsideJson() {
        assertThat(Template.parse("{\"customer\": {customer}, \"lines\": [{\"sku\": \"{sku-2}\"}]}")
                        .parts())
                .containsExactly(
                        new Literal("{\"customer\": "),
                        new Place("customer"),
                        new Literal(", \"lines\": [{\"sku\": \""),
                        new Place("sku-2"),
                        new Literal("\"}]}"));
    }

    @Test
    void findsAPlaceBeforeAClosingBrace() {
        assertThat(Template.parse("{\"a\":{a}}").parts())
                .containsExactly(new Literal("{\"a\":"), new Place("a"), new Literal("}"));
    }

    @Test
    void sendsDoubledBracesAsSingleOnes() {
        assertThat(Template.parse("hello {{name}}").parts()).containsExactly(new Literal("hello {name}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{ }", "{\"a\":{\"b\":{}}}", "{ name }", "{1}", "{{}}", "a{2,3}", "{\"a\"}", "}{", "{\n}"})
    void leavesOtherBracesAlone(String text) {
        assertThat(Template.parse(text).parts()).containsExactly(new Literal(text));
    }

    @Test
    void namesEachPlaceOnce() {
        assertThat(Template.parse("{b}{a}{b}").names()).containsExactly("b", "a");
    }
}
